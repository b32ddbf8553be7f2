import type { PriceLine } from '../kernel/price.js';

export const CAPABILITIES = ['image', 'speech', 'chat', 'embeddings', 'transcription'] as const;
/** What an endpoint does; inference serves `image` and `speech` so far. */
export type Capability = (typeof CAPABILITIES)[number];

/** What an endpoint takes for one request parameter (wire-notes section 3). */
export type ParameterRule =
  | { readonly type: 'enum'; readonly values: readonly string[] }
  | { readonly type: 'range'; readonly min: number; readonly max: number }
  | { readonly type: 'boolean' };

/** Published prices of tokens as decimal text in USD per token, for the listings; what is billed stands in `pricing`. */
export interface TokenPrices {
  readonly prompt: string;
  readonly completion: string;
  readonly cacheRead?: string;
  readonly cacheWrite?: string;
  readonly reasoning?: string;
  readonly inputAudio?: string;
  readonly outputAudio?: string;
}

/** Upper bounds of what one request counts in tokens, beside its text, which has no more of them than bytes. */
export interface TokenMaxima {
  /** Images: of one reference picture. */
  readonly perReference?: number;
  /** Images: of one finished picture, by quality, then by `<width>x<height>`. */
  readonly perImage?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Images: of all previews of a stream together. */
  readonly previews?: number;
  /** Speech: of the audio, whatever the text. */
  readonly output?: number;
  /** Speech: of the audio of a text: a base, and so many for every character. */
  readonly outputBase?: number;
  readonly outputPerCharacter?: number;
}

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
  /** The npm package that the adapter calls, where it is one over packages. */
  readonly package?: string;
  /** The vendor's own name of the model. */
  readonly upstreamModel: string;
  /** Whether it can be called without a credential. */
  readonly needsCredential: boolean;
  readonly supportsStreaming: boolean;
  readonly supportedParameters: Readonly<Record<string, ParameterRule>>;
  readonly allowedPassthroughParameters: readonly string[];
  /** Empty = the price is unknown, and the endpoint is not served. */
  readonly pricing: readonly PriceLine[];
  readonly tokenPrices?: TokenPrices;
  /** In tokens, where it differs from the model's own. */
  readonly contextLength?: number;
  readonly maxPromptTokens?: number;
  readonly maxCompletionTokens?: number;
  /** Speech: the longest input in characters. */
  readonly maxInputCharacters?: number;
  /** Speech: the voices it knows; absent = the vendor decides. */
  readonly voices?: readonly string[];
  /** The most that one request can use, on every endpoint priced by tokens: its worst case follows from it. */
  readonly maxTokens?: TokenMaxima;
  /** How long the vendor may be silent, where that differs from the service's own patience. */
  readonly timeoutMs?: number;
  /** Images: least and greatest pixels a side. */
  readonly pixelBounds?: { readonly min: number; readonly max: number };
  /** Zero data retention, where a public source says so; absent = unknown. */
  readonly zeroDataRetention?: boolean;
  /** Data regions (`eu`), where a public source says so; absent = unknown. */
  readonly regions?: readonly string[];
  readonly quantization?: string;
}

export interface DefaultParameters {
  readonly temperature?: number | null;
  readonly top_p?: number | null;
  readonly top_k?: number | null;
  readonly frequency_penalty?: number | null;
  readonly presence_penalty?: number | null;
  readonly repetition_penalty?: number | null;
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
  /** Model family, such as `gpt-mini`. */
  readonly family?: string;
  readonly instructType: string | null;
  readonly maxCompletionTokens: number | null;
  readonly isModerated: boolean;
  readonly supportedParameters: readonly string[];
  readonly supportedVoices: readonly string[] | null;
  readonly defaultParameters?: DefaultParameters;
  readonly perRequestLimits?: { readonly prompt_tokens: number; readonly completion_tokens: number };
  readonly knowledgeCutoff: string | null;
  readonly expirationDate: string | null;
  /** Decimal text in USD: per token, per image, per request; "-1" where the price is unknown. */
  readonly pricing: {
    readonly prompt: string;
    readonly completion: string;
    readonly image: string;
    readonly request: string;
  };
  /** Use cases, where a public source says so; absent = unknown. */
  readonly categories?: readonly string[];
  /** Whether its answers may train other models, where a public source says so; absent = unknown. */
  readonly distillable?: boolean;
  /** The endpoint that stands for the model first, then by price. */
  readonly endpoints: readonly CatalogueEndpoint[];
}

/** A vendor that serves models. */
export interface CatalogueProvider {
  readonly slug: string;
  readonly name: string;
  /** Its documentation. */
  readonly documentation?: string;
  /** Where its API lives, where one address serves everybody. */
  readonly baseUrl?: string;
  /** Pages of its own; absent = unknown. */
  readonly privacyPolicy?: string;
  readonly termsOfService?: string;
  readonly statusPage?: string;
  /** ISO 3166-1 alpha-2; absent = unknown. */
  readonly headquarters?: string;
  readonly datacenters?: readonly string[];
}
