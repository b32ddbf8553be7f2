import type { ErrorKind } from '../../kernel/errors/errors.js';
import { STATUS } from '../../kernel/errors/error-status.js';
import { MEANING } from './status-meanings.js';

const WHAT_TO_DO: Record<ErrorKind, string> = {
  invalid_request: 'The message names the field and its rule: correct it and send again.',
  unauthenticated:
    'Send `Authorization: Bearer <API_KEY>` with a key that exists, is enabled, has not expired, and is ' +
    'of the class the operation takes.',
  insufficient_credits:
    'Grant credits (`npm run operator -- credits grant`), raise the limit of the key, or wait for its reset.',
  budget_exceeded:
    'Raise the budget (`PUT /budgets/{id}/raise`), or wait until its window ends: `X-Budget-Reset`. ' +
    'Where `X-Budget-Level` is `session`, begin another session.',
  forbidden: 'Use a management key, or for inference a standard one, as the message says.',
  not_found: 'The resource does not exist, or belongs to another account, which looks the same.',
  deadline_exceeded: 'Ask for less, or try again later.',
  conflict: 'The message says what stands in the way. With `metadata.retryable` the same request may be sent again.',
  gone: 'Send a message of the user: it starts a new run.',
  payload_too_large: 'Send less; the message names the cap.',
  unsupported_media_type: 'Send `Content-Type: application/json`.',
  rate_limited: 'Wait as long as `Retry-After` says.',
  caller_gone: 'Never sent: it marks usage records of calls whose caller left.',
  internal: 'A fault of the service. Tell the operator the `X-Request-Id`; the log has the cause.',
  provider_failed: 'The vendor failed. Nothing was billed; try again, or another model.',
  unavailable: 'Something the operation needs is missing or away: the message names it.',
  run_timeout: 'Send a message of the user to go on; ask for less at a time.',
  provider_timeout: 'The vendor took longer than `UPSTREAM_TIMEOUT_MS`. Nothing was billed.',
  provider_overloaded: 'The vendor has no capacity at present. Nothing was billed; try again later.',
};

/** The text of docs/errors.md; a test holds the file to it, `npm run docs` writes it. */
export function errorsPage(): string {
  const kinds = (Object.keys(STATUS) as ErrorKind[]).toSorted((a, b) => STATUS[a] - STATUS[b]);
  return [
    '# Errors',
    '',
    'Every failure answers one envelope: `{"error":{"code":<status>,"message":<text>}}`. Errors of ' +
      'interns add `error.metadata` with `reason` and `retryable`, those of text `error.metadata` with `error_type`.',
    'Routes of `/messages` answer that of their format: ' +
      '`{"type":"error","error":{"type":<text>,"message":<text>,"code":<status>,…},"request_id":<id or null>}`.',
    'Each response has `X-Request-Id`. `npm run docs` writes this page from `src/kernel/errors/error-status.ts`.',
    '',
    '| status | kind | meaning | what to do |',
    '|---|---|---|---|',
    ...kinds.map((kind) => `| ${STATUS[kind]} | \`${kind}\` | ${MEANING[kind]} | ${WHAT_TO_DO[kind]} |`),
    '',
  ].join('\n');
}
