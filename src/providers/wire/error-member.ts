import { GatewayError } from '../../kernel/errors/errors.js';
import type { SecretValue } from '../../kernel/secret-value.js';
import { membersOf } from '../../formats/members.js';
import { faultOfResponse } from './vendor-fault.js';

/** Patterns of vendors' error codes, in `code` or `type`, each with the equivalent HTTP status. */
const STATUS_OF_WORD: readonly (readonly [RegExp, number])[] = [
  [/rate.?limit|too.?many.?requests|insufficient.?quota|throttl/i, 429],
  [/overload|capacity|unavailable|busy/i, 503],
  [/time.?out|deadline/i, 504],
  [/auth|api.?key|permission|billing|forbidden/i, 401],
  [/invalid|bad.?request|context.?length|content.?(policy|filter)|validation|too.?long/i, 400],
];

/**
 * Converts an error object inside a 2xx response, whatever its shape: `{message, code, type, status}`, a text, or
 * `{error: …}`. If the request is invalid, the vendor's message is forwarded, without credentials.
 */
export function faultOfMember(error: unknown, secret: SecretValue | null): GatewayError {
  const outer = membersOf(error);
  const inner = typeof outer['error'] === 'object' && outer['error'] !== null ? membersOf(outer['error']) : outer;
  const text = typeof error === 'string' ? error : (inner['message'] ?? inner['detail'] ?? outer['error']);
  const body = JSON.stringify({ ...inner, error: undefined, detail: undefined, message: text });
  return faultOfResponse(statusOf(inner), Buffer.from(body), secret);
}

function statusOf(error: Readonly<Record<string, unknown>>): number {
  const codes = [error['status'], error['status_code'], error['code'], error['type']];
  const status = codes.map(Number).find((code) => Number.isInteger(code) && code >= 400 && code < 600);
  if (status !== undefined) return status;
  const words = codes.filter((code) => typeof code === 'string').join(' ');
  return STATUS_OF_WORD.find(([pattern]) => pattern.test(words))?.[1] ?? 500;
}
