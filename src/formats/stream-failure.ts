import { STATUS } from '../kernel/errors/error-status.js';
import { errorTypeOf, type ErrorType } from '../kernel/errors/error-type.js';
import { GatewayError, type ErrorKind } from '../kernel/errors/errors.js';
import { redact } from '../kernel/text/redact.js';

/** The error in a stream that fails after the response headers were sent. */
export interface StreamFailure {
  readonly kind: ErrorKind;
  /** The HTTP status of the response if the same failure occurs before the headers are sent. */
  readonly status: number;
  readonly message: string;
  readonly errorType: ErrorType;
  readonly providerCode: string | undefined;
}

/**
 * `thrown`: anything except a GatewayError is an internal fault. The details of an internal fault are not disclosed.
 */
export function failureInStream(thrown: unknown): StreamFailure {
  const error = thrown instanceof GatewayError ? thrown : undefined;
  const kind = error?.kind ?? 'internal';
  return {
    kind,
    status: STATUS[kind],
    message: error ? redact(error.message) : 'Internal error. Try again.',
    errorType: errorTypeOf(error),
    providerCode: error?.facts?.vendorCode,
  };
}
