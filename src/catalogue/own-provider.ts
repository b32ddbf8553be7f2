import type { Capability } from './catalogue-model.js';

/** The wire formats that an own provider may have. */
export const OWN_FORMATS = ['chat', 'responses', 'messages', 'gemini'] as const;
export type OwnFormat = (typeof OWN_FORMATS)[number];

/** The kinds of work that models of own providers may do. */
export const OWN_CAPABILITIES = [
  'chat',
  'embeddings',
  'image',
  'speech',
  'transcription',
] as const satisfies readonly Capability[];
export type OwnCapability = (typeof OWN_CAPABILITIES)[number];

/** A provider that the operator added while the service ran. */
export interface OwnProvider {
  readonly slug: string;
  readonly name: string | null;
  readonly format: OwnFormat;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** False = the provider is called without a credential. */
  readonly needsCredential: boolean;
  readonly privacy: OwnPrivacy;
  readonly createdAt: Date;
}

/** The changeable settings of a provider; absent = unchanged. */
export type OwnProviderChanges = Partial<Pick<OwnProvider, 'name' | 'baseUrl' | 'privacy'>>;

export interface OwnPrivacy {
  readonly policyUrl?: string;
  readonly zeroDataRetention?: boolean;
}

/** The name of a price. It is the name in a published listing, if listings have this price. */
export type OwnPriceName =
  | 'prompt'
  | 'completion'
  | 'input_cache_read'
  | 'input_cache_write'
  | 'internal_reasoning'
  | 'image'
  | 'request'
  | 'web_search'
  | 'input_character'
  | 'second';

/** Decimal text in USD. */
export type OwnPricing = Readonly<Partial<Record<OwnPriceName, string>>>;

/** The operator's settings of a model. */
export interface OwnModelSetup {
  /** Absent = chat. */
  readonly capability?: Exclude<OwnCapability, 'chat'>;
  /** The provider's own name of the model. */
  readonly upstream: string;
  readonly name: string | null;
  /** In tokens; 0 = the capability has no context limit. */
  readonly contextLength: number;
  readonly maxCompletionTokens: number | null;
  readonly inputModalities: readonly string[];
  readonly supportedParameters: readonly string[];
  /** For chat. Null = unknown, and the model is not served. */
  readonly pricing: OwnPricing | null;
  /** For other capabilities. Older versions read only `pricing`, so they do not serve such a model as chat. */
  readonly prices?: OwnPricing | null;
}

export const capabilityOf = ({ capability }: OwnModelSetup): OwnCapability => capability ?? 'chat';

/** Null = unknown. */
export const pricesOf = ({ capability, pricing, prices }: OwnModelSetup): OwnPricing | null =>
  capability === undefined ? pricing : (prices ?? null);

/** A setup in which lists may be absent. Absent lists get the defaults of the capability. */
export interface GivenModel extends Pick<
  OwnModelSetup,
  'upstream' | 'name' | 'contextLength' | 'maxCompletionTokens' | 'pricing'
> {
  readonly capability: OwnCapability;
  readonly inputModalities: readonly string[] | undefined;
  readonly supportedParameters: readonly string[] | undefined;
}

/** One version of a model of an own provider. */
export interface OwnModel {
  /** The provider's slug. The model is named `<provider>/<id>`. */
  readonly provider: string;
  readonly id: string;
  /** From 1. */
  readonly version: number;
  readonly setup: OwnModelSetup;
  /** When the first version was set. */
  readonly createdAt: Date;
  readonly setAt: Date;
}
