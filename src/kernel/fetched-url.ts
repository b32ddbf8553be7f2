import { invalidRequest } from './errors/errors.js';
import { isLiteralAddress, isPublicAddress } from './addresses/public-address.js';

const HTTPS_PORT = 443;
const FIRST_FREE_PORT = 1_024;
/** The ports at or above FIRST_FREE_PORT that the Fetch standard refuses. */
const OTHER_PROTOCOLS: ReadonlySet<number> = new Set([
  1719, 1720, 1723, 2049, 3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/**
 * Checks a URL that an account names and that the service will connect to. Throws `invalid_request` for a URL with
 * control characters, spaces or credentials, with plain http, with a port of another protocol, or with a literal
 * address or a name of a private network. URLs of the hosts in `privateHosts` may have http, any port and private
 * addresses. The addresses of a host name are checked at each connection. `member`: the name of the request's member,
 * for the message.
 */
export function checkedUrl(text: string, privateHosts: readonly string[], member = 'url'): URL {
  // The URL parser would drop line breaks and tabs, and trim spaces.
  if (/[\p{Cc}\s]/u.test(text)) throw invalidRequest(`${member} must not contain control characters or spaces`);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !['https:', 'http:'].includes(url.protocol)) throw invalidRequest(`${member} must be an https URL`);
  if (url.username !== '' || url.password !== '')
    throw invalidRequest(`${member} must not contain a user name or password`);
  if (url.port === '0') throw invalidRequest(`${member} must not have port 0`);
  const host = hostOf(url);
  if (privateHosts.includes(host)) return url;
  if (url.protocol !== 'https:') throw invalidRequest(`${member} must begin with https://`);
  const port = Number(url.port || HTTPS_PORT);
  if (port !== HTTPS_PORT && (port < FIRST_FREE_PORT || OTHER_PROTOCOLS.has(port)))
    throw invalidRequest(
      `${member} must not have port ${port}: use 443, or a port from ${FIRST_FREE_PORT} that no other protocol uses`,
    );
  const isPrivate = isLiteralAddress(host) ? !isPublicAddress(host) : isPrivateName(host);
  if (isPrivate) throw invalidRequest(`${member} must not lead to an address that is not public`);
  return url;
}

/** Names that public DNS never resolves. */
const isPrivateName = (host: string): boolean =>
  !host.includes('.') || /\.(?:localhost|local|internal|intranet|lan|home\.arpa|onion)$/.test(host);

/** The host without brackets and without the trailing dot. */
export const hostOf = (url: URL): string => url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
