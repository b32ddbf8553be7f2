import type { SecretValue } from '../../kernel/secret-value.js';
import { objectIn } from '../../formats/response-members.js';
import { isObject } from '../../formats/members.js';

const MAX_CHARACTERS = 500;
/**
 * Longer text is truncated before it is searched, because the time of the search can grow with the square of the
 * length.
 */
const MAX_SEARCHED_CHARACTERS = 4_096;
const MASK = '[redacted]';

/** Patterns of credentials, because vendors quote (masked) keys and tokens in their messages. */
const CREDENTIALS = [
  /\bBearer\s+[^\s"',;]+/gi,
  /\b(?:sk|pk|rk|api|key|xai|gsk|tok|token)[-_][A-Za-z0-9_*.-]{6,}/gi,
  /\b[A-Za-z0-9_-]{4,}\*{4,}[A-Za-z0-9_-]*/g,
  /\beyJ[\w-]+\.[\w-]+\.[\w-]*/g,
];

/** Extracts the vendor's message from an error body for the caller: one line, bounded, without credentials. */
export function vendorMessage(body: Uint8Array, secret: SecretValue | null): string | undefined {
  const text = wordsOf(Buffer.from(body).toString('utf8'));
  if (text === undefined) return undefined;
  const plain = redactedMessage(text, secret);
  return plain === '' ? undefined : plain.length > MAX_CHARACTERS ? `${plain.slice(0, MAX_CHARACTERS)}…` : plain;
}

/** The text in one line, with the credential in use and anything that matches CREDENTIALS masked. */
export function redactedMessage(text: string, secret: SecretValue | null): string {
  const known = (secret ? [...secretsIn(secret.reveal()), ...secret.revealCompanions()] : []).flatMap((plaintext) => [
    plaintext,
    encodeURIComponent(plaintext),
    Buffer.from(plaintext).toString('base64'),
  ]);
  const withoutOwn = known.reduce((rest, form) => rest.replaceAll(form, MASK), text);
  // oxlint-disable-next-line no-control-regex
  const line = withoutOwn.replace(/[\s\u0000-\u001f]+/g, ' ').trim();
  return CREDENTIALS.reduce((rest, form) => rest.replace(form, MASK), line.slice(0, MAX_SEARCHED_CHARACTERS));
}

/** A shorter member of a credential is a name, such as a region, and is not masked. */
const MIN_SECRET_CHARACTERS = 12;

/** The texts to mask: the credential, and its long members if it is a JSON object. */
function secretsIn(plaintext: string): string[] {
  const members = Object.values(objectIn(plaintext) ?? {});
  const inner = members.filter((member): member is string => typeof member === 'string');
  return [...(plaintext === '' ? [] : [plaintext]), ...inner.filter(({ length }) => length >= MIN_SECRET_CHARACTERS)];
}

const CODE = /^[\w.:/-]{1,64}$/;

/** The vendor's code for its failure, from an error body: `error.code`, `error.type` or `error.status`. */
export function vendorCode(body: Uint8Array, secret: SecretValue | null): string | undefined {
  const { error, ...rest } = objectIn(Buffer.from(body).toString('utf8')) ?? {};
  const { code, type, status } = isObject(error) ? error : rest;
  const found = [code, type, status].find((word): word is string => typeof word === 'string' && CODE.test(word));
  return found !== undefined && redactedMessage(found, secret) === found ? found : undefined;
}

/** `{error: {message}}`, `{error: "…"}`, `{message}` or `{detail}`; undefined for any other shape. */
function wordsOf(text: string): string | undefined {
  const { error, message, detail } = objectIn(text) ?? {};
  const inner = isObject(error) ? error['message'] : error;
  return [inner, message, detail].find(
    (candidate): candidate is string => typeof candidate === 'string' && candidate !== '',
  );
}
