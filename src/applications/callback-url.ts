import { invalidRequest } from '../kernel/errors/errors.js';

const MAX_CALLBACK_CHARACTERS = 2_048;
/** Matches only these spellings of a local host. Other spellings that a URL parser accepts are refused. */
const LOCAL = /^http:\/\/(?:localhost|127\.0\.0\.1)(?::\d{1,5})?(?:[/?]|$)/;
const RULE = 'callback_url must be an https URL, or http on localhost or 127.0.0.1';

/** The destination of a code. */
export interface Callback {
  readonly url: string;
  readonly origin: string;
  readonly isHttps: boolean;
}

/**
 * Accepts an https URL, or an http URL on localhost or 127.0.0.1 with any port. Throws `invalid_request` for any other
 * URL. Also throws for a URL that is too long or has credentials, a fragment, a literal IPv6 address, or characters
 * that a URL parser changes.
 */
export function checkedCallback(text: string): Callback {
  if (text.length > MAX_CALLBACK_CHARACTERS)
    throw invalidRequest(`callback_url must have at most ${MAX_CALLBACK_CHARACTERS} characters`);
  // The URL parser drops line breaks and tabs, trims spaces, and reads backslashes as slashes.
  if (/[\p{Cc}\p{Cs}\s\\]/u.test(text))
    throw invalidRequest('callback_url must not contain control characters, spaces or backslashes');
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHttps = /^https:\/\/[^/?#[]/i.test(text);
  if (!url || !(isHttps || LOCAL.test(text))) throw invalidRequest(RULE);
  if (text.includes('#')) throw invalidRequest('callback_url must not have a fragment');
  if (/^[^/?]*\/\/[^/?]*@/.test(text)) throw invalidRequest('callback_url must not contain a user name or password');
  return { url: text, origin: url.origin, isHttps };
}
