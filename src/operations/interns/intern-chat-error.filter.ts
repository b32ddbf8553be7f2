import { Catch } from '@nestjs/common';
import type { ErrorKind, ErrorMetadata } from '../../kernel/errors/errors.js';
import { InternErrorFilter } from './intern-error.filter.js';

/** Adds the reason to every failure of an intern's chat, in the words of that route. */
@Catch()
export class InternChatErrorFilter extends InternErrorFilter {
  protected override readonly reasons: Partial<Record<ErrorKind, ErrorMetadata>> = {
    invalid_request: { reason: 'bad_request', retryable: false },
    not_found: { reason: 'not_found', retryable: false },
    deadline_exceeded: { reason: 'timeout', retryable: true },
    payload_too_large: { reason: 'payload_too_large', retryable: false },
    rate_limited: { reason: 'rate_limited', retryable: true },
    internal: { reason: 'internal_error', retryable: true },
  };
}
