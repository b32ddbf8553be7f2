import type { IncomingMessage } from 'node:http';

const UNKNOWN = 'unknown';

/**
 * The address for counting a caller's requests: an IPv4 address, or the /64 network of an IPv6 address, because one
 * household or machine usually has the whole network. Express sets `ip` according to TRUST_PROXY.
 */
export function callerAddress(request: IncomingMessage & { ip?: string }): string {
  const address = (request.ip ?? request.socket.remoteAddress ?? UNKNOWN).replace(/%.*$/, '').toLowerCase();
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/.exec(address)?.[1];
  if (mapped) return mapped;
  return address.includes(':') ? `${networkOf(address)}::/64` : address;
}

/** The first four groups of an IPv6 address, written out. */
function networkOf(address: string): string {
  const [head = '', tail] = address.split('::');
  const before = head === '' ? [] : head.split(':');
  const after = tail === undefined || tail === '' ? [] : tail.split(':');
  const zeros = tail === undefined ? [] : Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0');
  return [...before, ...zeros, ...after]
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':');
}
