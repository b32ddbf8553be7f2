import { EndpointAdapter } from './endpoint-adapter.js';
import type { EndpointCall } from './endpoint-call.js';
import type { MediaPart, TextPart } from '../../formats/conversation.js';

/** The input for one vector: text, token ids, or parts of several kinds. */
export type EmbeddingInput = string | readonly number[] | readonly (TextPart | MediaPart)[];

export interface EmbeddingCall extends EndpointCall {
  readonly inputs: readonly EmbeddingInput[];
  /** Whether the caller sent a single input instead of a list. Some vendors distinguish the two forms. */
  readonly isSingle: boolean;
  readonly dimensions?: number;
  readonly inputType?: string;
  /** A keyed hash of the end user's id. */
  readonly endUser?: string;
}

export interface EmbeddingResponse {
  /** One vector for each input, in order: numbers, or little-endian float32 in base64 as the vendor sent it. */
  readonly vectors: readonly (readonly number[] | string)[];
  /** The vendor's own report, in the form of `/embeddings`. */
  readonly usage: unknown;
  readonly upstreamId?: string;
}

/** Implements one vendor protocol for embeddings. Throws GatewayError as TextAdapter does. */
export abstract class EmbeddingAdapter extends EndpointAdapter {
  abstract embed(call: EmbeddingCall): Promise<EmbeddingResponse>;
}
