import type { Nano } from '../money.js';

/** The credits or the limit that did not cover the maximum cost of a call. */
export interface ExhaustedLimit {
  readonly limit: 'credits' | 'key_limit' | 'parent_limit' | 'budget';
  /** The amount that is left. Callers must not get it for `credits` and `parent_limit`. */
  readonly remaining: Nano;
}

/** The budget that refused a call. */
export interface RefusingBudget {
  readonly level: string;
  readonly interval: string;
  readonly limit: Nano;
  /** The amount that is neither spent nor reserved; 0 if the budget is used up. */
  readonly remaining: Nano;
  /** The end of its window; null = the window never ends. */
  readonly resetsAt: Date | null;
  /** Its level, interval and limit as text. */
  readonly name: string;
}

/** The reasons why no endpoint can serve a request, and whether the same request may succeed later. */
export const IS_RETRYABLE = {
  model_not_found: false,
  no_endpoints: false,
  constraint_filtered: false,
  wrong_endpoint: false,
  capacity_exhausted: true,
  temporarily_unavailable: true,
} as const;
export type AvailabilityCode = keyof typeof IS_RETRYABLE;

/** A vendor's failure before the failure that ended the call. */
export interface PreviousError {
  readonly provider: string;
  /** The vendor's own code or, if there is none, the kind of the failure. */
  readonly code: string;
  readonly status: number;
}

/**
 * Details of a failure besides its kind and message. Callers see them only on operations with error types
 * (http/errors/typed-error-envelope.ts).
 */
export interface ErrorFacts {
  /** The provider that failed. */
  readonly provider?: string;
  /** The provider's own code. */
  readonly vendorCode?: string;
  /** The message is the provider's own. The caller gets it, but it is not recorded. */
  readonly hasVendorMessage?: true;
  /**
   * The provider's own message, bounded and without credentials. For the operator only: responses to calls never
   * contain it.
   */
  readonly vendorMessage?: string;
  /** Failures of earlier attempts, in their order. */
  readonly previous?: readonly PreviousError[];
  readonly availability?: AvailabilityCode;
  readonly exhausted?: ExhaustedLimit;
  readonly budget?: RefusingBudget;
  /** Output tokens of one choice: the reserved number, and the number that `exhausted` would cover. */
  readonly tokens?: { readonly requested: number; readonly affordable: number };
}
