import type { IncomingHttpHeaders } from 'node:http';

/** Longest tracking id in a header. */
const MAX_END_USER_CHARACTERS = 256;

/**
 * The end user from the first of these headers that is present. Open WebUI sends percent-encoded UTF-8; other text is
 * used unchanged. Undefined if no header contains an end user, or if the text cannot be stored.
 */
export function endUserOf(headers: IncomingHttpHeaders, names: readonly string[]): string | undefined {
  const name = names.find((header) => typeof headers[header] === 'string' && headers[header] !== '');
  if (name === undefined) return undefined;
  const text = decoded(headers[name] as string).trim();
  return text !== '' && text.length <= MAX_END_USER_CHARACTERS && !/\p{Cc}/u.test(text) ? text : undefined;
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
