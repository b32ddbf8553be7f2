/** A model in models.dev's format; unused members are omitted. */
export interface ModelsDevModel {
  readonly name?: string;
  readonly family?: string;
  readonly knowledge?: string;
  readonly release_date?: string;
  readonly limit?: { readonly context?: number; readonly input?: number; readonly output?: number };
  readonly modalities?: { readonly input?: readonly string[]; readonly output?: readonly string[] };
  readonly open_weights?: boolean;
  readonly reasoning?: boolean;
  readonly structured_output?: boolean;
  readonly temperature?: boolean;
  readonly tool_call?: boolean;
  readonly weights?: readonly { readonly url?: string }[];
}

/** A vendor's offer of a model. */
export interface ModelsDevOffer {
  /** The id of the offered model, if it does not follow from the name. */
  readonly base_model?: string;
  readonly limit?: { readonly context?: number; readonly input?: number; readonly output?: number };
  /** Numbers in USD per million tokens, by kind, and `tiers` of them. */
  readonly cost?: Readonly<Record<string, unknown>>;
}

export interface ModelsDevVendor {
  readonly name?: string;
  readonly api?: string;
  readonly doc?: string;
  readonly models?: Readonly<Record<string, ModelsDevOffer>>;
}
