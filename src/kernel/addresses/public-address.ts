import { BlockList, isIP } from 'node:net';

/** Special-purpose addresses by IANA's registries, and multicast. */
const RESERVED_V4: readonly [address: string, prefix: number][] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
];

/** Reserved ranges inside IPv6's global unicast range, and ranges that embed an IPv4 address. */
const RESERVED_V6: readonly [address: string, prefix: number][] = [
  ['2001::', 23],
  ['2001:db8::', 32],
  ['2002::', 16],
  ['3fff::', 20],
];

const RESERVED = new BlockList();
for (const [address, prefix] of RESERVED_V4) RESERVED.addSubnet(address, prefix, 'ipv4');
for (const [address, prefix] of RESERVED_V6) RESERVED.addSubnet(address, prefix, 'ipv6');
const GLOBAL = new BlockList();
GLOBAL.addSubnet('2000::', 3, 'ipv6');

/**
 * Whether an IP address is public, for connections to addresses that others choose. Loopback, private, link-local,
 * metadata and mapped addresses are not public.
 */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !RESERVED.check(address, 'ipv4');
  return family === 6 && !address.includes('%') && GLOBAL.check(address, 'ipv6') && !RESERVED.check(address, 'ipv6');
}

/** Whether a host is a literal IP address. */
export const isLiteralAddress = (host: string): boolean => isIP(host) !== 0;
