import { redact } from '../../kernel/text/redact.js';

const MAX_DEPTH = 6;

/**
 * A copy of a value for the log, with every text redacted. Member names are passed to the redactor, because a name such
 * as `password` marks a secret. The value is redacted before it is serialised, because the patterns do not match texts
 * with JSON escapes.
 */
export function redactedValue(value: unknown, name?: string, depth = 0): unknown {
  if (typeof value === 'string') return redactedText(value, name);
  if (typeof value !== 'object' || value === null) return value;
  if (depth >= MAX_DEPTH) return '[…]';
  if (value instanceof Error)
    return { type: value.name, message: redact(value.message), stack: value.stack && redact(value.stack) };
  if (Array.isArray(value)) return value.map((each) => redactedValue(each, name, depth + 1));
  const { toJSON } = value as { toJSON?: unknown };
  if (typeof toJSON === 'function') return redactedValue((toJSON as () => unknown).call(value), name, depth + 1);
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, redactedValue(each, key, depth + 1)]));
}

function redactedText(text: string, name: string | undefined): string {
  if (name === undefined) return redact(text);
  const lead = `${name}: `;
  const shown = redact(lead + text);
  return shown.startsWith(lead) ? shown.slice(lead.length) : redact(text);
}
