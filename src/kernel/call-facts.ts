import type { Decimal, Nano } from './money.js';

/** Why a credential was chosen. */
export const CHOICE_REASONS = ['only', 'own_key', 'session', 'priority', 'weight', 'next'] as const;
export type ChoiceReason = (typeof CHOICE_REASONS)[number];

/**
 * Why a credential was not used: it rests, a budget is used up, its address failed in an earlier attempt of the call,
 * or the circuit breaker of the endpoint is open.
 */
export const PASS_REASONS = [
  'rate_limited',
  'exhausted',
  'refused',
  'unknown_model',
  'cap',
  'budget',
  'address',
  'unhealthy',
] as const;
export type PassReason = (typeof PASS_REASONS)[number];

/** A credential that was not used, or that is tried after others. */
export interface PassedOver {
  readonly id: string;
  readonly reason: PassReason;
}

/** The credential of an attempt: a credential of the platform, or the caller's own. For the operator only. */
export interface CredentialChoice {
  readonly id: string;
  readonly reason: ChoiceReason;
  readonly passedOver?: readonly PassedOver[];
}

/** One attempt of a call, as it is recorded. */
export interface AttemptReport {
  readonly provider: string;
  /**
   * HTTP status: 200 for a response; for a failure, the status that the vendor sent. If the vendor sent no status, the
   * status that this service assigns to the failure.
   */
  readonly status: number;
  readonly latencyMs: number;
  /** Absent if the endpoint needs no credential. */
  readonly credential?: CredentialChoice;
  /** Whether the attempt was billed at assumed prices, because the model's prices are unknown. */
  readonly priceAssumed?: boolean;
  /** Why the attempt failed; absent = the attempt received a complete response. */
  readonly failure?: FailureReason;
}

/** Why an attempt or a call failed. Never quotes the vendor's message, which may quote the request. */
export interface FailureReason {
  /** The vendor's own code or, if there is none, the kind of the failure. */
  readonly code: string;
  readonly message: string;
}

/** A part of a price: a quantity at a price in USD. */
export interface BillLine {
  readonly item: string;
  readonly quantity: number;
  readonly price: Decimal;
}

/** Facts of a call besides its usage. Absent = unknown. */
export interface CallFacts {
  readonly nativeFinishReason?: string | null;
  /** The vendor's id of the response. */
  readonly upstreamId?: string | null;
  readonly requestId?: string | null;
  readonly sessionId?: string | null;
  readonly tags?: readonly string[];
  readonly userAgent?: string | null;
  readonly httpReferer?: string | null;
  readonly title?: string | null;
  readonly categories?: string | null;
  /** The tier that served the call. */
  readonly serviceTier?: string | null;
  /** In the order in which they were made. */
  readonly attempts?: readonly AttemptReport[];
  /** The failure that ended the call, if it is not the failure of an attempt. */
  readonly failure?: FailureReason;
  /** Number of pictures, videos and files in the prompt. */
  readonly mediaInputs?: number;
  readonly audioInputs?: number;
  readonly completionImageTokens?: number;
  /** The amount that the vendor's cache saved; negative = extra cost. */
  readonly cacheDiscount?: Nano;
  /** The items of the price. */
  readonly priceLines?: readonly BillLine[];
  /** Whether the caller disconnected during the stream. */
  readonly cancelled?: boolean;
  /** Whether the gateway counted the tokens, because the vendor reported no valid usage. */
  readonly usageEstimated?: boolean;
  /** The generation whose response was reused. */
  readonly cacheSourceId?: string;
}
