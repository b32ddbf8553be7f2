import type { ErrorKind } from './errors.js';

/** The only mapping of error kinds to HTTP statuses, for responses and for usage records. */
export const STATUS: Record<ErrorKind, number> = {
  invalid_request: 400,
  unauthenticated: 401,
  insufficient_credits: 402,
  budget_exceeded: 403,
  forbidden: 403,
  not_found: 404,
  deadline_exceeded: 408,
  conflict: 409,
  gone: 410,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  // Never sent to a caller. Used in the usage record and the log.
  caller_gone: 499,
  internal: 500,
  provider_failed: 502,
  unavailable: 503,
  run_timeout: 504,
  provider_timeout: 524,
  provider_overloaded: 529,
};
