import { UseFilters } from '@nestjs/common';
import { asGatewayError, toEnvelope } from '../../http/errors/error-envelope.js';
import { ErrorEnvelopeFilter } from '../../http/errors/error-envelope.filter.js';
import { GatewayError, type ErrorKind, type ErrorMetadata } from '../../kernel/errors/errors.js';

type Reasons = Partial<Record<ErrorKind, ErrorMetadata>>;

const COMMON_REASONS: Reasons = {
  not_found: { reason: 'not_found', retryable: false },
  deadline_exceeded: { reason: 'timeout', retryable: true },
  payload_too_large: { reason: 'payload_too_large', retryable: false },
  internal: { reason: 'internal_error', retryable: true },
};
/** The reasons of errors that other modules throw. 401, and 403 for a regional hostname, have no reason. */
const REASONS: Reasons = {
  ...COMMON_REASONS,
  invalid_request: { reason: 'invalid_body', retryable: false },
  unsupported_media_type: { reason: 'unsupported_media_type', retryable: false },
  provider_failed: { reason: 'upstream_unavailable', retryable: true },
};
const CHAT_REASONS: Reasons = {
  ...COMMON_REASONS,
  invalid_request: { reason: 'bad_request', retryable: false },
  rate_limited: { reason: 'rate_limited', retryable: true },
};

/** Adds reasons to the errors of the routes of interns. */
export const InternErrors = (): ClassDecorator => filterOf(REASONS);

/** Adds reasons to the errors of the chat with an intern. The chat has reasons of its own. */
export const InternChatErrors = (): ClassDecorator => filterOf(CHAT_REASONS);

const filterOf = (reasons: Reasons): ClassDecorator =>
  UseFilters(new ErrorEnvelopeFilter({ translate: (thrown) => withReason(thrown, reasons), envelope: toEnvelope }));

/**
 * In this group, an unavailable database is reported as a retryable internal error. 503 is only used for an intern that
 * is not ready.
 */
function withReason(thrown: unknown, reasons: Reasons): GatewayError {
  const known =
    asGatewayError(thrown) ?? new GatewayError('internal', toEnvelope(undefined).body.error.message, { cause: thrown });
  const { headers } = known;
  const error =
    known.kind === 'unavailable' && !known.metadata
      ? new GatewayError('internal', known.message, { headers, cause: thrown })
      : known;
  const metadata = error.metadata ?? reasons[error.kind];
  return metadata === error.metadata
    ? error
    : new GatewayError(error.kind, error.message, { metadata, headers: error.headers, cause: error.cause });
}
