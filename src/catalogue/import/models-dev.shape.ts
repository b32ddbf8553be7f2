/** A model as models.dev writes it; members that are not used here are left aside. */
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
  /** The model it is, where the name does not say. */
  readonly base_model?: string;
  readonly limit?: { readonly context?: number; readonly input?: number; readonly output?: number };
  /** Decimal text in USD per million tokens, by kind. */
  readonly cost?: Readonly<Record<string, string>>;
}

export interface ModelsDevVendor {
  readonly name?: string;
  readonly api?: string;
  readonly doc?: string;
  readonly models?: Readonly<Record<string, ModelsDevOffer>>;
}
