import type { ErrorKind } from '../../kernel/errors/errors.js';

/** The meaning of each documented status, for the OpenAPI document. */
export const MEANING: Record<ErrorKind, string> = {
  invalid_request: 'Invalid request parameters or body',
  unauthenticated:
    'Missing, unknown, disabled or expired API key, or a class of key that may not perform this operation',
  insufficient_credits: 'Insufficient credits, or the limit of the key does not cover the request',
  budget_exceeded: 'A budget is used up',
  forbidden: 'The key may not perform this operation',
  not_found: 'Resource not found',
  deadline_exceeded: 'Route deadline exceeded, or the request body arrived too slowly',
  conflict: 'Conflict with the current state',
  gone: 'The run of the intern has ended',
  payload_too_large: 'Payload too large',
  unsupported_media_type: 'Unsupported content type',
  rate_limited: 'Rate limit exceeded',
  caller_gone: 'The caller disconnected',
  internal: 'Internal error',
  provider_failed: 'The provider returned an error',
  unavailable: 'Service temporarily unavailable',
  run_timeout: 'The run of the intern took too long',
  provider_timeout: 'The provider took too long',
  provider_overloaded: 'The provider is overloaded',
};
