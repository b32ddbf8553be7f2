import type { SecretValue } from '../../kernel/secret-value.js';

const LONGEST = 500;
const MASK = '[redacted]';

/** What looks like a credential whoever's it is: vendors quote (masked) keys and tokens in their messages. */
const CREDENTIALS = [
  /\bBearer\s+[^\s"',;]+/gi,
  /\b(?:sk|pk|rk|api|key|xai|gsk|tok|token)[-_][A-Za-z0-9_*.-]{6,}/gi,
  /\b[A-Za-z0-9_-]{4,}\*{4,}[A-Za-z0-9_-]*/g,
  /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g,
];

/** The vendor's own words out of an error body, fit for a caller: one line, bounded, without credentials. */
export function vendorMessage(body: Uint8Array, secret: SecretValue | null): string | undefined {
  const told = wordsOf(Buffer.from(body).toString('utf8'));
  if (told === undefined) return undefined;
  // oxlint-disable-next-line no-control-regex
  const plain = redact(told, secret)
    .replace(/[\s\u0000-\u001f]+/g, ' ')
    .trim();
  return plain === '' ? undefined : plain.length > LONGEST ? `${plain.slice(0, LONGEST)}…` : plain;
}

/** Masks the credential in use, and whatever looks like one. */
export function redact(text: string, secret: SecretValue | null): string {
  const plaintext = secret?.reveal();
  const known = plaintext ? [plaintext, encodeURIComponent(plaintext), Buffer.from(plaintext).toString('base64')] : [];
  const withoutOwn = known.reduce((rest, form) => rest.replaceAll(form, MASK), text);
  return CREDENTIALS.reduce((rest, form) => rest.replace(form, MASK), withoutOwn);
}

/** `{error: {message}}`, `{error: "…"}`, `{message}` or `{detail}`; anything else says nothing fit to be told. */
function wordsOf(text: string): string | undefined {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return undefined;
  }
  const { error, message, detail } = (typeof body === 'object' && body !== null ? body : {}) as Record<string, unknown>;
  const inner = typeof error === 'object' && error !== null ? (error as Record<string, unknown>)['message'] : error;
  return [inner, message, detail].find(
    (candidate): candidate is string => typeof candidate === 'string' && candidate !== '',
  );
}
