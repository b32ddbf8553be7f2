import { GatewayError, type ErrorKind } from '../../kernel/errors.js';

interface Verdict {
  readonly kind: ErrorKind;
  /** What the caller is told; absent = the vendor's own words, redacted. */
  readonly message?: string;
}

const FAILED: Verdict = { kind: 'provider_failed', message: 'The provider failed to answer this request' };
const OPERATORS: Verdict = {
  kind: 'provider_failed',
  message:
    "The provider refused this service's own account: the operator must look at its credential, its credits and the model's name there",
};
const OVERLOADED: Verdict = { kind: 'provider_overloaded', message: 'The provider is overloaded. Try again later.' };

/** The table of wire-notes section 12: what a vendor's status means to the caller. Every other status is FAILED. */
const BY_STATUS: Readonly<Record<number, Verdict>> = {
  400: { kind: 'invalid_request' },
  422: { kind: 'invalid_request' },
  401: OPERATORS,
  402: OPERATORS,
  403: OPERATORS,
  404: OPERATORS,
  413: { kind: 'payload_too_large', message: 'The request is too large for the provider' },
  429: { kind: 'rate_limited', message: 'The provider limits the rate of requests. Try again later.' },
  503: OVERLOADED,
  529: OVERLOADED,
};

const RETRY_AFTER = /^[\w ,:+-]{1,64}$/;

/** The failure that a vendor's status is. `message` is its own, already redacted. */
export function faultOfStatus(
  status: number,
  message: string | undefined,
  retryAfter: string | undefined,
): GatewayError {
  const verdict = BY_STATUS[status] ?? FAILED;
  const told = verdict.message ?? message ?? 'The provider refused the request as invalid, without saying why';
  const passesRetryAfter =
    (verdict.kind === 'rate_limited' || verdict.kind === 'provider_overloaded') &&
    retryAfter !== undefined &&
    RETRY_AFTER.test(retryAfter);
  return new GatewayError(verdict.kind, told, {
    outage: status >= 500,
    cause: new Error(`the vendor answered ${status}`),
    ...(passesRetryAfter ? { headers: { 'retry-after': retryAfter } } : {}),
  });
}

const TIMEOUTS = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);

/** The failure that a broken or silent connection is. */
export function faultOfTransport(error: Error): GatewayError {
  const { code } = error as { code?: string };
  if (code !== undefined && TIMEOUTS.has(code))
    return new GatewayError('provider_timeout', 'The provider took too long to answer', { cause: error, outage: true });
  return new GatewayError('provider_failed', 'The connection to the provider could not be made or broke', {
    cause: error,
    outage: true,
  });
}

/** A 2xx answer that is not what the protocol promises: malformed, empty, truncated, or an error inside. */
export const badAnswer = (what: string): GatewayError =>
  new GatewayError('provider_failed', `The provider's answer ${what}`);
