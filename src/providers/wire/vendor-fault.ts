import { GatewayError, type ErrorKind } from '../../kernel/errors/errors.js';
import type { SecretValue } from '../../kernel/secret-value.js';
import { vendorCode, vendorMessage } from './vendor-message.js';

interface Verdict {
  readonly kind: ErrorKind;
  /** The message for the caller; absent = the vendor's own message, redacted. */
  readonly message?: string;
}

const FAILED: Verdict = { kind: 'provider_failed', message: 'The provider failed to answer this request' };
const MISCONFIGURED: Verdict = {
  kind: 'provider_failed',
  message:
    "The provider refused this service's own account: the operator must look at its credential, its " +
    "credits and the model's name there",
};
const OVERLOADED: Verdict = { kind: 'provider_overloaded', message: 'The provider is overloaded. Try again later.' };

const TIMED_OUT: Verdict = { kind: 'provider_timeout', message: 'The provider took too long to respond' };

/** The verdict by the vendor's status. The verdict of every other status is FAILED. */
const BY_STATUS: Readonly<Record<number, Verdict>> = {
  400: { kind: 'invalid_request' },
  422: { kind: 'invalid_request' },
  401: MISCONFIGURED,
  402: MISCONFIGURED,
  403: MISCONFIGURED,
  404: MISCONFIGURED,
  413: { kind: 'payload_too_large', message: 'The request is too large for the provider' },
  429: { kind: 'rate_limited', message: 'The provider limits the rate of requests. Try again later.' },
  503: OVERLOADED,
  529: OVERLOADED,
  504: TIMED_OUT,
  524: TIMED_OUT,
};

const RETRY_AFTER = /^[\w ,:+-]{1,64}$/;

/** Converts a vendor's status to a failure. `message` and `code` are the vendor's own, already redacted. */
export function faultOfStatus(status: number, message?: string, retryAfter?: string, code?: string): GatewayError {
  const verdict = BY_STATUS[status] ?? FAILED;
  const text = verdict.message ?? message ?? 'The provider refused the request as invalid, without a reason';
  const passesRetryAfter =
    (verdict.kind === 'rate_limited' || verdict.kind === 'provider_overloaded') &&
    retryAfter !== undefined &&
    RETRY_AFTER.test(retryAfter);
  return new GatewayError(verdict.kind, text, {
    outage: status >= 500,
    vendorStatus: status,
    cause: new Error(`the vendor returned status ${status}`),
    ...(passesRetryAfter ? { headers: { 'retry-after': retryAfter } } : {}),
    facts: {
      // A vendor's statement on this service's account concerns only the operator.
      ...(code !== undefined && verdict !== MISCONFIGURED ? { vendorCode: code } : {}),
      ...(verdict.message === undefined && message !== undefined ? { hasVendorMessage: true } : {}),
      ...(message !== undefined ? { vendorMessage: message } : {}),
    },
  });
}

/** Converts a vendor's error response to a failure. */
export const faultOfResponse = (
  status: number,
  body: Uint8Array,
  secret: SecretValue | null,
  retryAfter?: string,
): GatewayError => faultOfStatus(status, vendorMessage(body, secret), retryAfter, vendorCode(body, secret));

const TIMEOUTS = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'UND_ERR_CONNECT_TIMEOUT', 'ETIMEDOUT']);

/** undici's code for a request that it cannot send, such as a credential with characters not allowed in headers. */
const UNSENDABLE = 'UND_ERR_INVALID_ARG';
const UNSENDABLE_MESSAGE =
  'The credential for the provider holds characters that no HTTP header can carry. Store it again without them.';

/** The error for a broken or silent connection. A request that cannot be sent is not an outage of the vendor. */
export function faultOfTransport(error: Error): GatewayError {
  const { code } = error as { code?: string };
  if (code === UNSENDABLE) return new GatewayError('provider_failed', UNSENDABLE_MESSAGE, { cause: error });
  if (code !== undefined && TIMEOUTS.has(code))
    return new GatewayError(TIMED_OUT.kind, TIMED_OUT.message!, { cause: error, outage: true });
  return new GatewayError('provider_failed', 'The connection to the provider could not be opened, or was lost', {
    cause: error,
    outage: true,
  });
}
