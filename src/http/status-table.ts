import type { ErrorKind } from '../kernel/errors.js';

/** The only place where a kind of failure becomes an HTTP status. */
export const STATUS: Record<ErrorKind, number> = {
  invalid_request: 400,
  unauthenticated: 401,
  insufficient_credits: 402,
  forbidden: 403,
  not_found: 404,
  deadline_exceeded: 408,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  rate_limited: 429,
  // Nobody is there to read it; the number is for the usage record and the log.
  caller_gone: 499,
  internal: 500,
  provider_failed: 502,
  unavailable: 503,
  provider_timeout: 524,
  provider_overloaded: 529,
};

/** What each documented status means, for the OpenAPI document. */
export const MEANING: Record<ErrorKind, string> = {
  invalid_request: 'Invalid request parameters or body',
  unauthenticated:
    'Missing, unknown, disabled or expired API key, or a class of key that may not perform this operation',
  insufficient_credits: 'Insufficient credits, or the limit of the key does not cover the request',
  forbidden: 'The key may not perform this operation',
  not_found: 'Resource not found',
  deadline_exceeded: 'Route deadline exceeded',
  conflict: 'Conflict with the present state',
  payload_too_large: 'Payload too large',
  unsupported_media_type: 'Unsupported content type',
  rate_limited: 'Rate limit exceeded',
  caller_gone: 'The caller left',
  internal: 'Internal error',
  provider_failed: 'The provider returned an error',
  unavailable: 'Service temporarily unavailable',
  provider_timeout: 'The provider took too long',
  provider_overloaded: 'The provider is overloaded',
};
