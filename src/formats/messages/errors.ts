import type { ErrorKind } from '../../kernel/errors/errors.js';

/** The type of an error in the format of `/messages`, by kind. */
const TYPE_OF_KIND: Readonly<Record<ErrorKind, string>> = {
  invalid_request: 'invalid_request_error',
  unauthenticated: 'authentication_error',
  insufficient_credits: 'billing_error',
  budget_exceeded: 'permission_error',
  forbidden: 'permission_error',
  not_found: 'not_found_error',
  deadline_exceeded: 'timeout_error',
  conflict: 'invalid_request_error',
  gone: 'invalid_request_error',
  payload_too_large: 'request_too_large',
  unsupported_media_type: 'invalid_request_error',
  rate_limited: 'rate_limit_error',
  internal: 'api_error',
  provider_failed: 'api_error',
  unavailable: 'api_error',
  run_timeout: 'timeout_error',
  provider_timeout: 'timeout_error',
  provider_overloaded: 'overloaded_error',
  caller_gone: 'api_error',
};

export const MESSAGES_ERROR_TYPES = [...new Set(Object.values(TYPE_OF_KIND))];

/** `kind`: undefined = an internal fault. */
export const messagesErrorType = (kind: ErrorKind = 'internal'): string => TYPE_OF_KIND[kind];
