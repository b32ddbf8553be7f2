/** The wire formats that an own provider may speak. */
export const OWN_FORMATS = ['chat', 'messages', 'gemini'] as const;
export type OwnFormat = (typeof OWN_FORMATS)[number];

/** A provider that the operator added while the service ran. */
export interface OwnProvider {
  readonly slug: string;
  readonly name: string | null;
  readonly format: OwnFormat;
  /** Without a trailing slash. */
  readonly baseUrl: string;
  /** False = it is called without a key. */
  readonly needsCredential: boolean;
  readonly privacy: OwnPrivacy;
  readonly createdAt: Date;
}

/** What may be changed of a provider; absent = unchanged. */
export type OwnProviderChanges = Partial<Pick<OwnProvider, 'name' | 'baseUrl' | 'privacy'>>;

export interface OwnPrivacy {
  readonly policyUrl?: string;
  readonly zeroDataRetention?: boolean;
}

/** Decimal text in USD, by the names of a published listing. */
export interface OwnPricing extends Readonly<Partial<Record<string, string>>> {
  readonly prompt: string;
  readonly completion: string;
}

/** What the operator says of a model. */
export interface OwnModelSetup {
  /** The provider's own name of it. */
  readonly upstream: string;
  readonly name: string | null;
  /** In tokens. */
  readonly contextLength: number;
  readonly maxCompletionTokens: number | null;
  readonly inputModalities: readonly string[];
  readonly supportedParameters: readonly string[];
  /** Null = unknown: the model is not served. */
  readonly pricing: OwnPricing | null;
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
