import { Catch } from '@nestjs/common';
import { asGatewayError, toEnvelope } from '../../http/error-envelope.js';
import { ErrorEnvelopeFilter } from '../../http/error-envelope.filter.js';
import { GatewayError, type ErrorKind, type ErrorMetadata } from '../../kernel/errors.js';

/** What failures that the house throws for every group mean in this one. 401 and the regional 403 carry nothing. */
const REASONS: Partial<Record<ErrorKind, ErrorMetadata>> = {
  invalid_request: { reason: 'invalid_body', retryable: false },
  not_found: { reason: 'not_found', retryable: false },
  deadline_exceeded: { reason: 'timeout', retryable: true },
  payload_too_large: { reason: 'payload_too_large', retryable: false },
  unsupported_media_type: { reason: 'unsupported_media_type', retryable: false },
  internal: { reason: 'internal_error', retryable: true },
  provider_failed: { reason: 'upstream_unavailable', retryable: true },
};

/** Gives every failure of the group its reason, whichever room threw it. */
@Catch()
export class InternErrorFilter extends ErrorEnvelopeFilter {
  protected override translate(thrown: unknown): GatewayError {
    const error =
      asGatewayError(thrown) ??
      new GatewayError('internal', toEnvelope(undefined).body.error.message, { cause: thrown });
    const metadata = error.metadata ?? REASONS[error.kind];
    return metadata === error.metadata
      ? error
      : new GatewayError(error.kind, error.message, { metadata, headers: error.headers, cause: error.cause });
  }
}
