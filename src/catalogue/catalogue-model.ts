import type { PriceLine } from '../kernel/price.js';

export type Capability = 'image' | 'speech';

/** What an endpoint takes for one request parameter (wire-notes section 3). */
export type ParameterRule =
  | { readonly type: 'enum'; readonly values: readonly string[] }
  | { readonly type: 'range'; readonly min: number; readonly max: number }
  | { readonly type: 'boolean' };

/** One provider's offer of one model. */
export interface CatalogueEndpoint {
  /** Provider slug. */
  readonly provider: string;
  readonly providerName: string;
  /** Tells several endpoints of one provider apart; usually the slug itself. */
  readonly tag: string;
  readonly capability: Capability;
  /** The adapter that speaks to it; null where this service has none yet. */
  readonly adapter: string | null;
  /** The vendor's own name of the model. */
  readonly upstreamModel: string;
  /** Whether it can be called without a credential. */
  readonly needsCredential: boolean;
  readonly supportsStreaming: boolean;
  readonly supportedParameters: Readonly<Record<string, ParameterRule>>;
  readonly allowedPassthroughParameters: readonly string[];
  /** Empty = the price is unknown, and the endpoint is not served. */
  readonly pricing: readonly PriceLine[];
  /** Speech: the longest input in characters. */
  readonly maxInputCharacters?: number;
  /** Speech: the voices it knows; absent = the vendor decides. */
  readonly voices?: readonly string[];
  /** Images: least and greatest pixels a side. */
  readonly pixelBounds?: { readonly min: number; readonly max: number };
}

export interface CatalogueModel {
  /** `author/slug`. */
  readonly id: string;
  readonly canonicalSlug: string;
  readonly name: string;
  readonly description: string;
  /** Unix seconds. */
  readonly created: number;
  /** In tokens; 0 where the model counts none. */
  readonly contextLength: number;
  readonly inputModalities: readonly string[];
  readonly outputModalities: readonly string[];
  readonly tokenizer: string;
  readonly instructType: string | null;
  readonly maxCompletionTokens: number | null;
  readonly isModerated: boolean;
  readonly supportedParameters: readonly string[];
  readonly supportedVoices: readonly string[] | null;
  readonly knowledgeCutoff: string | null;
  readonly expirationDate: string | null;
  /** Decimal text in USD: per token, per image, per request. */
  readonly pricing: { readonly prompt: string; readonly completion: string; readonly image: string; readonly request: string };
  readonly endpoints: readonly CatalogueEndpoint[];
}
