import { STATUS } from '../kernel/errors/error-status.js';
import { GatewayError } from '../kernel/errors/errors.js';

export type RestReason = 'rate_limited' | 'exhausted' | 'refused' | 'unknown_model' | 'cap';

/** The consequence of a vendor's response for the credential that was used. */
export interface FailureRest {
  readonly reason: Exclude<RestReason, 'cap'>;
  /** Whether the credential rests only for one model of the vendor. */
  readonly isOfModel: boolean;
  /**
   * The length of the rest in milliseconds. Undefined if the vendor stated no wait; the wait then grows with each such
   * response.
   */
  readonly ms: number | undefined;
}

const MIN_REST_MS = 1_000;
const MAX_REST_MS = 600_000;
const EXHAUSTED_MS = 1_800_000;
/** A refused credential is probed by one call per hour. */
const REFUSED_MS = 3_600_000;
const UNKNOWN_MODEL_MS = 3_600_000;

/**
 * Vendors' codes for an account without credits. The status of such a response, 429, can also mean too many requests.
 */
const EXHAUSTED = new Set([
  'insufficient_quota',
  'insufficient_balance',
  'insufficient_credits',
  'billing_hard_limit_reached',
  'billing_not_active',
  'credit_balance_too_low',
  'exceeded_current_quota_error',
]);

/** Undefined if the failure does not depend on the credential. `now`: Unix milliseconds. */
export function restOfFailure(error: unknown, now: number): FailureRest | undefined {
  if (!(error instanceof GatewayError)) return undefined;
  switch (error.vendorStatus) {
    case 401:
    case 403:
      return { reason: 'refused', isOfModel: false, ms: REFUSED_MS };
    case 402:
      return { reason: 'exhausted', isOfModel: false, ms: EXHAUSTED_MS };
    case 404:
      return { reason: 'unknown_model', isOfModel: true, ms: UNKNOWN_MODEL_MS };
    case 429:
      return EXHAUSTED.has(error.facts?.vendorCode ?? '')
        ? { reason: 'exhausted', isOfModel: false, ms: EXHAUSTED_MS }
        : { reason: 'rate_limited', isOfModel: true, ms: namedWait(error, now) };
    default:
      return undefined;
  }
}

/** The wait in Retry-After, in milliseconds. The header contains seconds or a date. */
function namedWait({ headers }: GatewayError, now: number): number | undefined {
  const text = headers?.['retry-after'];
  if (text === undefined) return undefined;
  const seconds = Number(text);
  const ms = Number.isNaN(seconds) ? Date.parse(text) - now : seconds * 1_000;
  return Number.isNaN(ms) ? undefined : Math.min(MAX_REST_MS, Math.max(MIN_REST_MS, ms));
}

/** The vendor's status, or otherwise the status of the response to the caller. */
export const statusOfFailure = (error: unknown): number =>
  error instanceof GatewayError ? (error.vendorStatus ?? STATUS[error.kind]) : STATUS.internal;
