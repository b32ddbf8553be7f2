import type { IncomingHttpHeaders } from 'node:http';

/** Of a tracking id that a header names. */
const MAX_END_USER_CHARACTERS = 256;

/**
 * The end user that the first of these headers names. Open WebUI sends percent-encoded UTF-8; a text that is none is
 * taken as it is. Undefined where no header names one, or names nobody by a text that can be stored.
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
