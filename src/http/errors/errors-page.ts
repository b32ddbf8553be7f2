import type { ErrorKind } from '../../kernel/errors/errors.js';
import { STATUS } from '../../kernel/errors/error-status.js';
import { MEANING } from './status-meanings.js';

const WHAT_TO_DO: Record<ErrorKind, string> = {
  invalid_request: 'The message names the field and its rule. Correct the request, then send it again.',
  unauthenticated:
    'Send `Authorization: Bearer <API_KEY>` with an enabled key that has not expired and whose class may ' +
    'perform the operation.',
  insufficient_credits:
    'Grant credits (`npm run operator -- credits grant`), raise the limit of the key, or wait until the limit resets.',
  budget_exceeded:
    'Raise the budget (`PUT /budgets/{id}/raise`), or wait until its window ends (`X-Budget-Reset`). If ' +
    '`X-Budget-Level` is `session`, start another session.',
  forbidden:
    'Use a management key for administration and a standard key for inference. The message says which is needed.',
  not_found: 'The resource does not exist or belongs to another account. The response is the same in both cases.',
  deadline_exceeded: 'Send a smaller request, or try again later.',
  conflict: 'The message names the conflict. If `metadata.retryable` is true, the same request can be sent again.',
  gone: 'Send a user message, which starts a new run.',
  payload_too_large: 'Send a smaller body. The message names the limit.',
  unsupported_media_type: 'Send `Content-Type: application/json`.',
  rate_limited: 'Wait for the time in `Retry-After`, then try again.',
  caller_gone: 'Never sent. It marks the usage records of calls whose caller disconnected.',
  internal: 'The service failed. Give the `X-Request-Id` to the operator; the log contains the cause.',
  provider_failed: 'The vendor failed. Nothing was billed. Try again, or use another model.',
  unavailable: 'Something that the operation needs is not available. The message names it.',
  run_timeout: 'Send a user message to continue. Ask for less in one message.',
  provider_timeout: 'The vendor took longer than `UPSTREAM_TIMEOUT_MS`. Nothing was billed.',
  provider_overloaded: 'The vendor has no capacity. Nothing was billed. Try again later.',
};

/** The text of docs/errors.md. `npm run docs` writes it, and a test compares the file with it. */
export function errorsPage(): string {
  const kinds = (Object.keys(STATUS) as ErrorKind[]).toSorted((a, b) => STATUS[a] - STATUS[b]);
  return [
    '# Errors',
    '',
    'Every error response has this body: `{"error":{"code":<status>,"message":<text>}}`. Errors of interns ' +
      'also have `error.metadata` with `reason` and `retryable`. Errors of text calls also have ' +
      '`error.metadata` with `error_type`.',
    'Errors of `/messages` routes have the body of their format: ' +
      '`{"type":"error","error":{"type":<text>,"message":<text>,"code":<status>,…},"request_id":<id or ' +
      'null>}`.',
    'Each response has `X-Request-Id`. `npm run docs` writes this page from `src/kernel/errors/error-status.ts`.',
    '',
    '| status | kind | meaning | what to do |',
    '|---|---|---|---|',
    ...kinds.map((kind) => `| ${STATUS[kind]} | \`${kind}\` | ${MEANING[kind]} | ${WHAT_TO_DO[kind]} |`),
    '',
  ].join('\n');
}
