import { STATUS } from '../kernel/errors/error-status.js';
import { errorTypeOf, type ErrorType } from '../kernel/errors/error-type.js';
import { GatewayError, type ErrorKind } from '../kernel/errors/errors.js';
import { redact } from '../kernel/text/redact.js';

/** The error in a stream that fails after its head was sent. */
export interface StreamFailure {
  readonly kind: ErrorKind;
  /** The HTTP status that the failure would have had. */
  readonly status: number;
  readonly message: string;
  readonly errorType: ErrorType;
  readonly providerCode: string | undefined;
}

/** `thrown`: anything except a GatewayError is an internal fault, whose details are not disclosed. */
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
