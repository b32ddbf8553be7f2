import type { Capability, DefaultParameters, ParameterRule } from '../catalogue-model.js';
import type { PriceLine } from '../price.js';

/** Vendors' published token prices as decimal text in USD per million, the unit of their price pages. */
export interface TokenPriceEntry {
  readonly prompt: string;
  readonly completion: string;
  readonly cache_read?: string;
  readonly cache_write?: string;
  readonly cache_write_1h?: string;
  readonly reasoning?: string;
  readonly input_audio?: string;
  readonly output_audio?: string;
  readonly output_image?: string;
  readonly tiers?: readonly TokenPriceTierEntry[];
}

/** Prices under a condition; those that it does not name stay as they are (TokenPriceTier). */
export interface TokenPriceTierEntry extends Partial<Omit<TokenPriceEntry, 'tiers'>> {
  readonly min_prompt_tokens?: number;
  /** HHMM. */
  readonly utc_start?: number;
  readonly utc_end?: number;
  /** 0 = Sunday. */
  readonly utc_days?: readonly number[];
}

export interface PriceLineEntry {
  readonly billable: PriceLine['billable'];
  readonly unit: PriceLine['unit'];
  readonly cost_usd: string;
  readonly variant?: string;
}

/** TokenMaxima in the data format. */
export interface TokenMaximaEntry {
  readonly per_reference?: number;
  readonly per_image?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly previews?: number;
  readonly output?: number;
  readonly output_base?: number;
  readonly output_per_character?: number;
  readonly per_second?: number;
}

/** An endpoint in the data format. `provider` and `tag` identify it within its model. */
export interface EndpointEntry {
  readonly provider: string;
  readonly tag?: string;
  readonly capability?: Capability;
  readonly adapter?: string;
  /** The npm package that the adapter `ai-sdk` calls. */
  readonly package?: string;
  /** The vendor's own name of the model; default: the model's slug. */
  readonly model?: string;
  /** False = it can be called without a credential. */
  readonly credential?: boolean;
  readonly streaming?: boolean;
  readonly context?: number;
  readonly max_input?: number;
  readonly max_output?: number;
  readonly usd_per_million?: TokenPriceEntry;
  /** Beside `usd_per_million`: USD per picture of the request, per request, per web search. */
  readonly usd_per_image?: string;
  readonly usd_per_request?: string;
  readonly usd_per_search?: string;
  /** What is billed. Default: made of `usd_per_million`. */
  readonly pricing?: readonly PriceLineEntry[];
  readonly parameters?: Readonly<Record<string, ParameterRule>>;
  readonly passthrough?: readonly string[];
  readonly max_input_characters?: number;
  /** Seconds that are billed for shorter audio. */
  readonly min_seconds?: number;
  readonly voices?: readonly string[];
  /** The most that one request can use; needed where images and speech are priced by tokens. */
  readonly max_tokens?: TokenMaximaEntry;
  readonly timeout_ms?: number;
  readonly pixel_bounds?: { readonly min: number; readonly max: number };
  readonly zdr?: boolean;
  readonly regions?: readonly string[];
  readonly quantization?: string;
  /** Of a service tier of the same offer that has prices of its own; `tag` must tell it from the others. */
  readonly service_tier?: string;
  /** The page that its prices and limits were read from, and the day. */
  readonly source?: string;
  readonly read?: string;
}

/** The prices of a published listing, in its own names: decimal text in USD. */
export interface PublishedPricingEntry {
  readonly prompt: string;
  readonly completion: string;
  readonly image?: string;
  readonly request?: string;
  readonly input_cache_read?: string;
  readonly input_cache_write?: string;
  readonly input_cache_write_1h?: string;
  readonly internal_reasoning?: string;
  readonly audio?: string;
  readonly audio_output?: string;
  readonly image_output?: string;
  readonly web_search?: string;
  readonly overrides?: readonly PricingOverrideEntry[];
}

export interface PricingOverrideEntry {
  readonly min_prompt_tokens?: number;
  readonly utc_start?: number;
  readonly utc_end?: number;
  readonly prompt?: string;
  readonly completion?: string;
  readonly input_cache_read?: string;
  readonly input_cache_write?: string;
  readonly input_cache_write_1h?: string;
  readonly audio?: string;
}

/**
 * Data of a model, in the format of src/catalogue/data and of imports. Every member but the id may be absent, because
 * entries are merged (overlay.ts): facts, then manual additions, then imports.
 */
export interface ModelEntry {
  readonly id: string;
  readonly canonical_slug?: string;
  readonly name?: string;
  /** Default: composed from the facts. */
  readonly description?: string;
  readonly family?: string;
  /** `YYYY-MM` or `YYYY-MM-DD`. */
  readonly released?: string;
  /** Unix seconds; default: the release day. */
  readonly created?: number;
  readonly knowledge?: string;
  readonly expires?: string;
  readonly input?: readonly string[];
  readonly output?: readonly string[];
  readonly context?: number;
  readonly max_output?: number;
  readonly supports?: readonly string[];
  readonly voices?: readonly string[];
  readonly open_weights?: boolean;
  readonly weights?: string;
  readonly tokenizer?: string;
  readonly instruct_type?: string;
  readonly moderated?: boolean;
  readonly default_parameters?: DefaultParameters;
  readonly per_request_limits?: { readonly prompt_tokens: number; readonly completion_tokens: number };
  readonly categories?: readonly string[];
  readonly distillable?: boolean;
  /** The page that manual additions were read from, and the day. */
  readonly source?: string;
  readonly read?: string;
  /** USD per token, image, request; default: of the endpoint that stands for the model. */
  readonly pricing?: PublishedPricingEntry;
  readonly endpoints?: readonly EndpointEntry[];
}

/** Data of a vendor. */
export interface ProviderEntry {
  readonly slug: string;
  readonly name?: string;
  readonly documentation?: string;
  readonly api?: string;
  readonly privacy_policy?: string;
  readonly terms_of_service?: string;
  readonly status_page?: string;
  readonly headquarters?: string;
  readonly datacenters?: readonly string[];
}
