import { EndpointAdapter } from './endpoint-adapter.js';
import type { EndpointCall, ReportedUsage } from './endpoint-call.js';

export type ImageFormat = 'png' | 'jpeg' | 'webp' | 'svg';
export type ImageBackground = 'auto' | 'transparent' | 'opaque';
export type ImageQuality = 'auto' | 'low' | 'medium' | 'high';

/** A reference picture, already fetched or decoded. */
export interface ReferenceImage {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

/** An image request, adapted to the endpoint. */
export interface ImageCall extends EndpointCall {
  readonly prompt: string;
  readonly n: number;
  /** The width in pixels, as requested or derived from other members; undefined = the vendor chooses. */
  readonly width?: number;
  /** Like `width`. */
  readonly height?: number;
  readonly aspectRatio?: string;
  readonly resolution?: string;
  readonly background?: ImageBackground;
  readonly format?: ImageFormat;
  /** 0 to 100, for webp and jpeg. */
  readonly compression?: number;
  readonly quality?: ImageQuality;
  readonly seed?: number;
  readonly references: readonly ReferenceImage[];
  /** A keyed hash of the end user's id; vendors never get the id. */
  readonly endUser?: string;
}

/**
 * Base64 text (alphabet and padding only): a string, or the vendor's bytes in order. It is written into JSON and into
 * event lines without escaping.
 */
export type Base64Text = string | readonly Uint8Array[];

export interface GeneratedImage<B64 extends Base64Text = Base64Text> {
  readonly b64: B64;
  /** Undefined if the vendor does not report it. */
  readonly mediaType?: string;
}

/**
 * The vendor's complete response. The call is complete once this response is received (docs/architecture.md, section
 * 4).
 */
export interface ImageResponse<B64 extends Base64Text = Base64Text> {
  /** Unix seconds; undefined if the vendor does not report it. */
  readonly created?: number;
  readonly images: readonly GeneratedImage<B64>[];
  readonly usage?: ReportedUsage;
}

/** A preview that a streaming endpoint emits before its response; never billed. */
export type ImagePreview<B64 extends Base64Text = Base64Text> =
  | { readonly type: 'partial'; readonly index: number; readonly b64: B64 }
  | { readonly type: 'text_chunk'; readonly text: string };

/** Receives each preview as it arrives. Returns a promise if the next preview must wait for it, otherwise undefined. */
export type ShowPreview<B64 extends Base64Text = Base64Text> = (
  preview: ImagePreview<B64>,
) => Promise<void> | undefined;

/** Implements one vendor protocol for images. Throws GatewayError as SpeechAdapter does. */
export abstract class ImageAdapter extends EndpointAdapter {
  abstract generate(call: ImageCall): Promise<ImageResponse>;
  /** Present on adapters that can stream; used only for endpoints with `supportsStreaming`. */
  stream?(call: ImageCall, show: ShowPreview): Promise<ImageResponse>;
}
