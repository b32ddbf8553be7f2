import type { CallerPlace } from '../kernel/caller-place.js';
import type { Principal } from '../kernel/principal.js';

/** Everything about a call that is not the request itself. */
export interface InferenceContext {
  readonly caller: Principal;
  /** Where the call came from, for the audit record of a credential that it uses. */
  readonly place?: CallerPlace;
  /** Aborted when the caller leaves. */
  readonly signal: AbortSignal;
  /** The end user's tracking id, as sent in `user`. */
  readonly user?: string;
  /** The calling application's name and site, as its headers say. */
  readonly app?: string;
  readonly origin?: string;
}

/** `provider` of an inference request (wire-notes section 3), validated. */
export interface ProviderPreferences {
  readonly order?: readonly string[];
  readonly only?: readonly string[];
  readonly ignore?: readonly string[];
  readonly sort?: 'price' | 'throughput' | 'latency';
  readonly allowFallbacks: boolean;
  /** Passthrough options by provider slug. */
  readonly options: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

export const NO_PREFERENCES: ProviderPreferences = { allowFallbacks: true, options: {} };
