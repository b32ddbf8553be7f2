import { invalidRequest } from '../kernel/errors.js';
import { isLiteralAddress, isPublicAddress } from '../kernel/public-address.js';

/**
 * The destination of a webhook. Throws `invalid_request` for a URL to which nothing is ever delivered: plain http, with
 * credentials, or a literal address of a private network, except for the hosts of WEBHOOK_PRIVATE_HOSTS. Names are
 * checked by their addresses at each delivery.
 */
export function checkedUrl(text: string, privateHosts: readonly string[]): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['https:', 'http:'].includes(url.protocol)) throw invalidRequest('url must be an https URL');
  if (url.username !== '' || url.password !== '') throw invalidRequest('url must not contain a user name or password');
  const host = hostOf(url);
  if (privateHosts.includes(host)) return url;
  if (url.protocol !== 'https:') throw invalidRequest('url must begin with https://');
  const isPrivate = isLiteralAddress(host) ? !isPublicAddress(host) : /(^|\.)localhost$/.test(host);
  if (isPrivate) throw invalidRequest('url must not lead to an address that is not public');
  return url;
}

/** Without brackets and the trailing dot. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
