import { invalidRequest } from '../kernel/errors/errors.js';
import { checkedUrl, hostOf } from '../kernel/fetched-url.js';
import { isHeaderText } from '../kernel/text/header-text.js';

const NAME = /^[!#$%&'*+.^_`|~0-9a-z-]{1,128}$/i;
const MAX_VALUE_CHARACTERS = 8192;
const MAX_HEADERS = 16;

/** Headers that belong to the connection or to the request itself. */
const RESERVED = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Checks the address of a credential and returns it without a trailing slash. Throws `invalid_request` for an invalid
 * address and for an address with a query or a fragment. Unless `mayBePrivate` is set, addresses without https and
 * addresses with a private host are also invalid. The IP addresses of a host name are checked at each connection.
 */
export function checkedBaseUrl(text: string, mayBePrivate: boolean): string {
  const named = URL.canParse(text) ? [hostOf(new URL(text))] : [];
  const url = checkedUrl(text, mayBePrivate ? named : [], 'base_url');
  if (url.search !== '' || url.hash !== '' || /[?#]/.test(text))
    throw invalidRequest('base_url must not contain a query or a fragment');
  return url.href.replace(/\/+$/, '');
}

/**
 * Checks the headers of a request body. `member`: the name of the member in error messages, which contain no header
 * values.
 */
export function checkedHeaders(given: object, member: string): Record<string, string> {
  const entries = Object.entries(given);
  if (entries.length > MAX_HEADERS) throw invalidRequest(`${member} must hold at most ${MAX_HEADERS} headers`);
  const headers = new Map<string, string>();
  for (const [name, value] of entries) {
    const lower = name.toLowerCase();
    if (!NAME.test(name)) throw invalidRequest(`${member} must have valid HTTP header names`);
    if (RESERVED.has(lower)) throw invalidRequest(`${member} must not hold ${lower}`);
    if (headers.has(lower)) throw invalidRequest(`${member} must hold each header once`);
    if (!isValue(value))
      throw invalidRequest(`${member}: the value of ${lower} must be a text that an HTTP header can carry`);
    headers.set(lower, value);
  }
  return Object.fromEntries(headers);
}

const isValue = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= MAX_VALUE_CHARACTERS && isHeaderText(value);
