import { Catch } from '@nestjs/common';
import { asGatewayError, toEnvelope } from '../../http/errors/error-envelope.js';
import { ErrorEnvelopeFilter } from '../../http/errors/error-envelope.filter.js';
import { GatewayError, type ErrorKind, type ErrorMetadata } from '../../kernel/errors/errors.js';

/** The reasons of errors that other rooms throw. 401 and the regional 403 have none. */
const REASONS: Partial<Record<ErrorKind, ErrorMetadata>> = {
  invalid_request: { reason: 'invalid_body', retryable: false },
  not_found: { reason: 'not_found', retryable: false },
  deadline_exceeded: { reason: 'timeout', retryable: true },
  payload_too_large: { reason: 'payload_too_large', retryable: false },
  unsupported_media_type: { reason: 'unsupported_media_type', retryable: false },
  internal: { reason: 'internal_error', retryable: true },
  provider_failed: { reason: 'upstream_unavailable', retryable: true },
};

/**
 * Adds the reason to every failure of the group. An unavailable database is a retryable internal error here; the only
 * 503 of the group is that of an intern which is not ready.
 */
@Catch()
export class InternErrorFilter extends ErrorEnvelopeFilter {
  protected readonly reasons: Partial<Record<ErrorKind, ErrorMetadata>> = REASONS;

  protected override translate(thrown: unknown): GatewayError {
    const known =
      asGatewayError(thrown) ??
      new GatewayError('internal', toEnvelope(undefined).body.error.message, { cause: thrown });
    const error =
      known.kind === 'unavailable' && !known.metadata
        ? new GatewayError('internal', known.message, {
            headers: known.headers,
            cause: thrown,
          })
        : known;
    const metadata = error.metadata ?? this.reasons[error.kind];
    return metadata === error.metadata
      ? error
      : new GatewayError(error.kind, error.message, { metadata, headers: error.headers, cause: error.cause });
  }
}
