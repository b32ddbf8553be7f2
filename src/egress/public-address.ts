import { BlockList, isIP } from 'node:net';

/** Everything that is not a host of the public network (IANA's special-purpose registries), and multicast. */
const RESERVED: readonly [address: string, prefix: number][] = [
  ['0.0.0.0', 8], ['10.0.0.0', 8], ['100.64.0.0', 10], ['127.0.0.0', 8], ['169.254.0.0', 16], ['172.16.0.0', 12], ['192.0.0.0', 24], ['192.0.2.0', 24], ['192.88.99.0', 24],
  ['192.168.0.0', 16], ['198.18.0.0', 15], ['198.51.100.0', 24], ['203.0.113.0', 24], ['224.0.0.0', 4], ['240.0.0.0', 4],
];

const BLOCKED = new BlockList();
for (const [address, prefix] of RESERVED) BLOCKED.addSubnet(address, prefix, 'ipv4');

/** The only part of IPv6 that is routed publicly, and what of it is reserved or carries an IPv4 address inside. */
const GLOBAL = new BlockList();
GLOBAL.addSubnet('2000::', 3, 'ipv6');
const RESERVED_GLOBAL = new BlockList();
for (const [address, prefix] of [['2001::', 23], ['2001:db8::', 32], ['2002::', 16], ['3fff::', 20]] as const) RESERVED_GLOBAL.addSubnet(address, prefix, 'ipv6');

const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Whether an IP address belongs to the public network. Loopback, private, link-local, metadata and the like do not. */
export function isPublicAddress(address: string): boolean {
  const plain = MAPPED.exec(address)?.[1] ?? address;
  switch (isIP(plain)) {
    case 4:
      return !BLOCKED.check(plain, 'ipv4');
    case 6:
      return !plain.includes('%') && GLOBAL.check(plain, 'ipv6') && !RESERVED_GLOBAL.check(plain, 'ipv6');
    default:
      return false;
  }
}
