import { STATUS } from '../../kernel/errors/error-status.js';
import { GatewayError, type ErrorKind } from '../../kernel/errors/errors.js';
import type { PreviousError } from '../../kernel/errors/error-facts.js';
import type { PlannedEndpoint } from '../task.js';
import type { AttemptReport, CredentialChoice, FailureReason } from '../../kernel/call-facts.js';

const VENDOR_REFUSED = 'The provider refused the request; its own message went to the caller and is not recorded';
const INTERNAL = 'A fault of the service: its log has the cause, under the id of the request';

/** A failed attempt of a call. */
export interface FailedAttempt {
  /** The provider's name in responses. */
  readonly provider: string;
  readonly error: unknown;
  readonly latencyMs: number;
  readonly credential?: CredentialChoice;
}

/**
 * The error that ends a call, with the provider of the last failure and the previous failures. `failed`: all failed
 * attempts in order, including the last one. If the error is rate_limited, its Retry-After is the shortest of the
 * failed attempts. An internal fault is returned unchanged.
 */
export function withPreviousErrors(error: unknown, failed: readonly FailedAttempt[]): unknown {
  if (!(error instanceof GatewayError) || failed.length === 0) return error;
  const last = failed.at(-1)!;
  const isLast = last.error === error;
  const previous = (isLast ? failed.slice(0, -1) : failed).map(toPreviousError);
  const facts = { ...(isLast ? { provider: last.provider } : {}), ...(previous.length > 0 ? { previous } : {}) };
  const retryAfter = error.kind === 'rate_limited' ? leastRetryAfter(failed) : undefined;
  return error.with(
    facts,
    retryAfter === undefined ? {} : { headers: { ...error.headers, 'retry-after': retryAfter } },
  );
}

/** The attempts of a call for its record. `success`: the attempt that succeeded. */
export const attemptReports = (
  failed: readonly FailedAttempt[],
  success?: Pick<AttemptReport, 'provider' | 'latencyMs' | 'priceAssumed' | 'credential'>,
): AttemptReport[] => [
  ...failed.map(({ provider, error, latencyMs, credential }) => ({
    provider,
    status: statusOf(error),
    latencyMs,
    ...(credential ? { credential } : {}),
    failure: failureOf(error),
  })),
  ...(success ? [{ ...success, status: 200 }] : []),
];

/** The reason of a failure for the record. The message of an internal fault is only logged. */
export function failureOf(error: unknown): FailureReason {
  if (!(error instanceof GatewayError)) return { code: 'internal', message: INTERNAL };
  const { kind, facts, message } = error;
  return { code: facts?.vendorCode ?? kind, message: facts?.hasVendorMessage ? VENDOR_REFUSED : message };
}

/**
 * Records the reason why a call ended with `error`. If the last attempt has no failure, its response failed after the
 * start, and the result has the reason as the failure of that attempt. If there is no attempt, or if the last attempt
 * has another failure, the result has the reason in `failure`.
 */
export function withFailure(
  attempts: readonly AttemptReport[],
  error: unknown,
): { readonly attempts: readonly AttemptReport[]; readonly failure?: FailureReason } {
  const failure = failureOf(error);
  const last = attempts.at(-1);
  if (!last) return { attempts, failure };
  if (!last.failure) return { attempts: [...attempts.slice(0, -1), { ...last, failure }] };
  const isSame = last.failure.code === failure.code && last.failure.message === failure.message;
  return isSame ? { attempts } : { attempts, failure };
}

const toPreviousError = ({ provider, error }: FailedAttempt): PreviousError => ({
  provider,
  code: failureOf(error).code,
  status: statusOf(error),
});

/** The vendor's status, or otherwise the status that the caller gets. */
const statusOf = (error: unknown): number =>
  error instanceof GatewayError ? (error.vendorStatus ?? STATUS[error.kind]) : STATUS.internal;

function leastRetryAfter(failed: readonly FailedAttempt[]): string | undefined {
  const waits = failed.flatMap(({ error }) =>
    error instanceof GatewayError && error.kind === 'rate_limited' ? (error.headers?.['retry-after'] ?? []) : [],
  );
  const now = Date.now();
  return waits.toSorted((a, b) => millisecondsOf(a, now) - millisecondsOf(b, now))[0];
}

/** The header contains seconds or a date. */
function millisecondsOf(retryAfter: string, now: number): number {
  const seconds = Number(retryAfter);
  const ms = Number.isNaN(seconds) ? Date.parse(retryAfter) - now : seconds * 1_000;
  return Number.isNaN(ms) ? Infinity : ms;
}

/**
 * Returns a not_found error if the caller chose a model name that is not in the catalogue, and the vendor has no such
 * model; otherwise undefined.
 */
export function unknownToVendor(error: unknown, { endpoint }: PlannedEndpoint): GatewayError | undefined {
  if (endpoint.listedAs === undefined || !(error instanceof GatewayError) || error.vendorStatus !== 404)
    return undefined;
  const message = `${endpoint.providerName} has no model ${endpoint.upstreamModel}. GET /models lists the models.`;
  return new GatewayError('not_found', message, { vendorStatus: 404, facts: { availability: 'model_not_found' } });
}

/** The failures that would occur at every endpoint. */
const CALLERS_FAILURES: ReadonlySet<ErrorKind> = new Set<ErrorKind>([
  'caller_gone',
  'insufficient_credits',
  'budget_exceeded',
  'unauthenticated',
]);

export const mayFallBack = (error: unknown): boolean =>
  !(error instanceof GatewayError && CALLERS_FAILURES.has(error.kind));

/** Whether a request was refused for its length, moderation or an invalid member. Another model may accept it. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof GatewayError && (error.kind === 'invalid_request' || error.kind === 'payload_too_large');
