import type { SecretValue } from '../../kernel/secret-value.js';

/** What every call to a vendor's endpoint carries, whatever the capability. */
export interface EndpointCall {
  /** The vendor's own name of the model. */
  readonly upstreamModel: string;
  /** The provider slug of the chosen endpoint, for data-driven adapters. */
  readonly provider: string;
  /** The npm package that speaks to it, for adapters over vendors' own packages. */
  readonly package?: string;
  /** The opened credential; null where the provider needs none. */
  readonly credential: SecretValue | null;
  /** Passthrough options, already reduced to the chosen vendor's and to its allowed names. */
  readonly options: Readonly<Record<string, unknown>>;
  /** Set where the price follows from the vendor's own count: an answer without usage is then a truncated one. */
  readonly needsUsage?: boolean;
  /** How long the vendor may be silent, where the endpoint names its own. */
  readonly timeoutMs?: number;
  /** Aborted when the caller leaves or the service gives up: the adapter must stop its work and throw. */
  readonly signal: AbortSignal;
}

/** What the vendor says it used; absent members are unknown, not zero. */
export interface ReportedUsage {
  readonly promptTokens?: number;
  /** Those of the prompt tokens that pictures took. */
  readonly promptImageTokens?: number;
  readonly completionTokens?: number;
  readonly totalTokens?: number;
}
