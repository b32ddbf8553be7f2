import { STATUS } from '../../kernel/errors/error-status.js';
import { GatewayError, type ErrorKind } from '../../kernel/errors/errors.js';
import type { PreviousError } from '../../kernel/errors/error-facts.js';
import type { PlannedEndpoint } from '../task.js';
import type { AttemptReport, CredentialChoice, FailureReason } from '../../kernel/call-facts.js';

const VENDOR_REFUSED = 'The provider refused the request; its own message went to the caller and is not recorded';
const INTERNAL = 'A fault of the service: its log has the cause, under the id of the request';

/** An attempt of a call that failed. */
export interface FailedAttempt {
  /** As responses name the provider. */
  readonly provider: string;
  readonly error: unknown;
  readonly latencyMs: number;
  readonly credential?: CredentialChoice;
}

/**
 * The error that ends a call, with the provider that failed last and the failures before it. `failed`: all attempts in
 * their order, the last one included. Where vendors limit the rate, Retry-After is the least of theirs. A defect is
 * returned as it is.
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

/** What is recorded of the attempts of a call; `success` is the one that responded. */
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

/** What is recorded of the reason of a failure. A defect's message is for the log only. */
export function failureOf(error: unknown): FailureReason {
  if (!(error instanceof GatewayError)) return { code: 'internal', message: INTERNAL };
  const { kind, facts, message } = error;
  return { code: facts?.vendorCode ?? kind, message: facts?.hasVendorMessage ? VENDOR_REFUSED : message };
}

/**
 * The attempts and the reason of a call that `error` ended. A response that began and then failed has the reason on
 * its attempt; `failure` is set where no attempt has it.
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

/** The vendor's, else what the failure means to the caller. */
const statusOf = (error: unknown): number =>
  error instanceof GatewayError ? (error.vendorStatus ?? STATUS[error.kind]) : STATUS.internal;

function leastRetryAfter(failed: readonly FailedAttempt[]): string | undefined {
  const waits = failed.flatMap(({ error }) =>
    error instanceof GatewayError && error.kind === 'rate_limited' ? (error.headers?.['retry-after'] ?? []) : [],
  );
  const now = Date.now();
  return waits.toSorted((a, b) => millisecondsOf(a, now) - millisecondsOf(b, now))[0];
}

/** Seconds, or a date. */
function millisecondsOf(retryAfter: string, now: number): number {
  const seconds = Number(retryAfter);
  const ms = Number.isNaN(seconds) ? Date.parse(retryAfter) - now : seconds * 1_000;
  return Number.isNaN(ms) ? Infinity : ms;
}

/** The vendor does not know a name that the caller chose: the catalogue has no part in it. */
export function unknownToVendor(error: unknown, { endpoint }: PlannedEndpoint): GatewayError | undefined {
  if (endpoint.listedAs === undefined || !(error instanceof GatewayError) || error.vendorStatus !== 404)
    return undefined;
  const message = `${endpoint.providerName} knows no model ${endpoint.upstreamModel}. GET /models lists the models.`;
  return new GatewayError('not_found', message, { vendorStatus: 404, facts: { availability: 'model_not_found' } });
}

/** Failures that no other endpoint changes. */
const CALLERS_FAILURES: ReadonlySet<ErrorKind> = new Set<ErrorKind>([
  'caller_gone',
  'insufficient_credits',
  'budget_exceeded',
  'unauthenticated',
]);

export const mayFallBack = (error: unknown): boolean =>
  !(error instanceof GatewayError && CALLERS_FAILURES.has(error.kind));

/** The request was refused, for a length, a moderation or a member that another model may take. */
export const isRefusal = (error: unknown): boolean =>
  error instanceof GatewayError && (error.kind === 'invalid_request' || error.kind === 'payload_too_large');
