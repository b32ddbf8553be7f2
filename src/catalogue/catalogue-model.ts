import type { ListedPrice } from './price.js';
import type { PublishedPrice } from './published-price.js';
import type { TokenPriceList } from './token-price-list.js';

export const CAPABILITIES = ['image', 'speech', 'chat', 'embeddings', 'transcription', 'rerank'] as const;
/** The kind of work of an endpoint. */
export type Capability = (typeof CAPABILITIES)[number];

/** The values that an endpoint accepts for one request parameter (docs/api-rules.md, section 3). */
export type ParameterRule =
  | { readonly type: 'enum'; readonly values: readonly string[] }
  | { readonly type: 'range'; readonly min: number; readonly max: number }
  | { readonly type: 'boolean' };

/** Upper bounds of a request's tokens, except for its text, which has at most as many tokens as bytes. */
export interface TokenMaxima {
  /** Images: for one reference picture. */
  readonly perReference?: number;
  /** Images: for one finished picture, by quality, then by `<width>x<height>`. */
  readonly perImage?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Images: for all previews of a stream together. */
  readonly previews?: number;
  /** Speech: for the audio of any text. */
  readonly output?: number;
  /** Speech: for the audio of a text, the part that does not depend on its length. */
  readonly outputBase?: number;
  /** Speech: for the audio of a text, the additional tokens per character. */
  readonly outputPerCharacter?: number;
  /** Transcription: for a second of audio. */
  readonly perSecond?: number;
}

/** Limits of one text or embeddings request in tokens, from which its worst case is computed. Absent = unknown. */
export interface TextLimits {
  readonly contextLength?: number;
  readonly maxPromptTokens?: number;
  readonly maxCompletionTokens?: number;
  /** Tokens that the vendor adds to a prompt, such as instructions for tools. */
  readonly frameTokens?: number;
  /** Maximum tokens of an image. Absent = an image counts as the whole context. */
  readonly tokensPerImage?: number;
  /** Maximum tokens of a second of audio. Absent = audio counts as the whole context. */
  readonly tokensPerAudioSecond?: number;
  /** Maximum tokens of a page of a file. Absent = a file counts as the whole context. */
  readonly tokensPerFilePage?: number;
  /** The factor by which the tokenizer's normalisation can lengthen a text in UTF-8 bytes: 1 to 3. Default 1. */
  readonly textGrowth?: number;
  /** Whether the vendor writes caches without a request to do so. */
  readonly cachesByItself?: boolean;
  readonly maxWebSearches?: number;
}

/** One provider's offer of one model. */
export interface CatalogueEndpoint {
  /** Provider slug. */
  readonly provider: string;
  readonly providerName: string;
  /** Distinguishes several endpoints of one provider; usually the provider's slug. */
  readonly tag: string;
  readonly capability: Capability;
  /** The name of its adapter; null = not supported yet. */
  readonly adapter: string | null;
  /** The npm package to use, for adapters that wrap vendors' own packages. */
  readonly package?: string;
  /** The vendor's own name of the model. */
  readonly upstreamModel: string;
  /** The name under which health and latency are recorded, if `upstreamModel` was built from a request's name. */
  readonly listedAs?: string;
  /** True for a model outside the catalogue, whose prices are the highest of its family. */
  readonly priceAssumed?: boolean;
  /** False = the endpoint can be called without a credential. */
  readonly needsCredential: boolean;
  /** The address of an own provider, for credentials without an address; absent = the adapter has the address. */
  readonly ownAddress?: string;
  readonly supportsStreaming: boolean;
  readonly supportedParameters: Readonly<Record<string, ParameterRule>>;
  readonly allowedPassthroughParameters: readonly string[];
  /** Empty = the price is unknown, and the endpoint is not offered. */
  readonly pricing: readonly ListedPrice[];
  /** Published prices of tokens, by which text is billed. Other capabilities are billed by `pricing`. */
  readonly tokenPrices?: TokenPriceList;
  /** In tokens, if it differs from the model's own. */
  readonly contextLength?: number;
  readonly maxPromptTokens?: number;
  readonly maxCompletionTokens?: number;
  /** Speech: maximum length of the input in characters. */
  readonly maxInputCharacters?: number;
  /** Transcription: the minimum number of seconds that are billed. */
  readonly minSeconds?: number;
  /** Speech: the supported voices; absent = the vendor decides. */
  readonly voices?: readonly string[];
  /** Upper bounds for the worst-case price; present on every endpoint priced by tokens. */
  readonly maxTokens?: TokenMaxima;
  /** Set on endpoints of chat and embeddings. Contains the model's limits if the endpoint has none of its own. */
  readonly textLimits?: TextLimits;
  /** Maximum time without a byte from the vendor, if it differs from the service's default timeout. */
  readonly timeoutMs?: number;
  /** Images: minimum and maximum pixels of a side. */
  readonly pixelBounds?: { readonly min: number; readonly max: number };
  /** Zero data retention according to a public source; absent = unknown. */
  readonly zeroDataRetention?: boolean;
  /** Data regions (`eu`) according to a public source; absent = unknown. */
  readonly regions?: readonly string[];
  readonly quantization?: string;
  /** The day on which its prices and limits were read from the vendor's page, `YYYY-MM-DD`. */
  readonly readOn?: string;
  /** The service tier to which the prices apply; absent = the vendor's default tier. */
  readonly serviceTier?: string;
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
  /** In tokens; 0 = the model has no token limit. */
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
  /** Decimal text in USD; "-1" = unknown, and the model is not offered. */
  readonly pricing: PublishedPrice & {
    /** Per request. */
    readonly request: string;
  };
  /**
   * The prices of all token classes, and their tiers, which `pricing` cannot express. Absent if only `pricing` is
   * known.
   */
  readonly tokenPrices?: TokenPriceList;
  /** Use cases, if a public source states them; absent = unknown. */
  readonly categories?: readonly string[];
  /** Whether its output may be used to train other models, according to a public source; absent = unknown. */
  readonly distillable?: boolean;
  /** In order of preference; the first one represents the model in the listings. */
  readonly endpoints: readonly CatalogueEndpoint[];
}

/** A vendor that serves models. */
export interface CatalogueProvider {
  readonly slug: string;
  readonly name: string;
  /** URL of the documentation; absent = unknown. */
  readonly documentation?: string;
  /** Its API's base URL, if it is the same for all customers. */
  readonly baseUrl?: string;
  /** URL of the page; absent = unknown. */
  readonly privacyPolicy?: string;
  /** URL of the page; absent = unknown. */
  readonly termsOfService?: string;
  /** URL of the page; absent = unknown. */
  readonly statusPage?: string;
  /** ISO 3166-1 alpha-2 code of the country; absent = unknown. */
  readonly headquarters?: string;
  /** ISO 3166-1 alpha-2 codes of the countries; absent = unknown. */
  readonly datacenters?: readonly string[];
  /** How to reach the provider, if the operator added it while the service ran. */
  readonly own?: OwnReach;
}

/** How to reach an own provider. */
export interface OwnReach {
  /** The adapter for chat. */
  readonly adapter: string;
  /** The adapter for other capabilities; absent = the provider has none. */
  readonly others?: string;
  readonly package?: string;
  readonly address: string;
  readonly needsCredential: boolean;
}
