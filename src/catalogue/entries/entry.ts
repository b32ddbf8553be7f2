import type { Capability, DefaultParameters, ParameterRule } from '../catalogue-model.js';
import type { PriceLine } from '../../kernel/price.js';

/** What vendors publish for tokens, as decimal text in USD per million: the unit in which price pages are written. */
export interface TokenPriceEntry {
  readonly prompt: string;
  readonly completion: string;
  readonly cache_read?: string;
  readonly cache_write?: string;
  readonly reasoning?: string;
  readonly input_audio?: string;
  readonly output_audio?: string;
}

export interface PriceLineEntry {
  readonly billable: PriceLine['billable'];
  readonly unit: PriceLine['unit'];
  readonly cost_usd: string;
  readonly variant?: string;
}

/** TokenMaxima as it is written in the data. */
export interface TokenMaximaEntry {
  readonly per_reference?: number;
  readonly per_image?: Readonly<Record<string, Readonly<Record<string, number>>>>;
  readonly previews?: number;
  readonly output?: number;
  readonly output_base?: number;
  readonly output_per_character?: number;
}

/** An endpoint as it is written in the data. `provider` and `tag` name it within its model. */
export interface EndpointEntry {
  readonly provider: string;
  readonly tag?: string;
  readonly capability?: Capability;
  readonly adapter?: string;
  /** The npm package that the adapter `ai-sdk` calls. */
  readonly package?: string;
  /** The vendor's own name of the model; default: the model's slug. */
  readonly model?: string;
  /** False where it can be called without a credential. */
  readonly credential?: boolean;
  readonly streaming?: boolean;
  readonly context?: number;
  readonly max_input?: number;
  readonly max_output?: number;
  readonly usd_per_million?: TokenPriceEntry;
  /** What is billed. Default: made of `usd_per_million`. */
  readonly pricing?: readonly PriceLineEntry[];
  readonly parameters?: Readonly<Record<string, ParameterRule>>;
  readonly passthrough?: readonly string[];
  readonly max_input_characters?: number;
  readonly voices?: readonly string[];
  /** The most that one request can use; needed where the price is by tokens. */
  readonly max_tokens?: TokenMaximaEntry;
  readonly timeout_ms?: number;
  readonly pixel_bounds?: { readonly min: number; readonly max: number };
  readonly zdr?: boolean;
  readonly regions?: readonly string[];
  readonly quantization?: string;
  /** The page its prices and limits were read from, and the day on which they were. */
  readonly source?: string;
  readonly read?: string;
}

/**
 * What is known of a model: the form of src/catalogue/data and of what an operator imported. Every member but the id may be
 * absent, because entries are laid over each other (overlay.ts): facts, then what was added by hand, then imports.
 */
export interface ModelEntry {
  readonly id: string;
  readonly canonical_slug?: string;
  readonly name?: string;
  /** Default: composed of the facts. */
  readonly description?: string;
  readonly family?: string;
  /** `YYYY-MM` or `YYYY-MM-DD`. */
  readonly released?: string;
  /** Unix seconds, where it is known to the second; default: the release day. */
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
  /** The page that what was added by hand was read from, and the day on which it was. */
  readonly source?: string;
  readonly read?: string;
  /** USD per token, image, request; default: of the endpoint that stands for the model. */
  readonly pricing?: {
    readonly prompt: string;
    readonly completion: string;
    readonly image?: string;
    readonly request?: string;
  };
  readonly endpoints?: readonly EndpointEntry[];
}

/** What is known of a vendor. */
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
