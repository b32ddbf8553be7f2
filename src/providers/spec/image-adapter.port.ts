import type { EndpointCall, ReportedUsage } from './endpoint-call.js';

export type ImageFormat = 'png' | 'jpeg' | 'webp' | 'svg';
export type ImageBackground = 'auto' | 'transparent' | 'opaque';
export type ImageQuality = 'auto' | 'low' | 'medium' | 'high';

/** A reference picture, already fetched or decoded. */
export interface ReferenceImage {
  readonly bytes: Uint8Array;
  readonly mediaType: string;
}

/** An image request after every rule of the specification has been applied. */
export interface ImageCall extends EndpointCall {
  readonly prompt: string;
  readonly n: number;
  /** Explicit or derived pixels; undefined = the vendor chooses. */
  readonly width?: number;
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
  /** The end user's tracking id, passed on to vendors that take one. */
  readonly user?: string;
}

/**
 * Base64 text, never decoded on its way: a string, or the vendor's own bytes of it in their order, as they stood between the
 * quotes of its JSON (a slash may be escaped there, which JSON allows wherever they are put between quotes again).
 */
export type Base64Text = string | readonly Uint8Array[];

export interface GeneratedImage<B64 extends Base64Text = Base64Text> {
  readonly b64: B64;
  /** Undefined where the vendor does not say. */
  readonly mediaType?: string;
}

/** The vendor's complete answer: holding it is the moment of completion (architecture section 4). */
export interface ImageAnswer<B64 extends Base64Text = Base64Text> {
  /** Unix seconds; undefined where the vendor does not say. */
  readonly created?: number;
  readonly images: readonly GeneratedImage<B64>[];
  readonly usage?: ReportedUsage;
}

/** What a streaming endpoint emits before its answer; never billed. */
export type ImagePreview<B64 extends Base64Text = Base64Text> =
  | { readonly type: 'partial'; readonly index: number; readonly b64: B64 }
  | { readonly type: 'text_chunk'; readonly text: string };

/** Takes previews as they come; undefined where the next may follow at once. */
export type ShowPreview<B64 extends Base64Text = Base64Text> = (
  preview: ImagePreview<B64>,
) => Promise<void> | undefined;

/** Speaks one vendor protocol for images; throws GatewayError as SpeechAdapter does. */
export abstract class ImageAdapter {
  /** The adapter's name as catalogue endpoints carry it. */
  abstract readonly name: string;
  abstract generate(call: ImageCall): Promise<ImageAnswer>;
  /** Present on adapters that can stream; used only for endpoints with `supportsStreaming`. */
  stream?(call: ImageCall, show: ShowPreview): Promise<ImageAnswer>;
}
