import type { IncomingMessage } from 'node:http';
import { callerAddress } from './caller-address.js';

const from = (ip: string | undefined, socket?: string): string =>
  callerAddress({ ip, socket: { remoteAddress: socket } } as unknown as IncomingMessage & { ip?: string });

describe('the address under which a caller is counted', () => {
  it.each([
    ['192.0.2.7', '192.0.2.7'],
    ['::ffff:192.0.2.7', '192.0.2.7'],
    ['::FFFF:192.0.2.7', '192.0.2.7'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:DB8:0001:0002::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['::1', '0:0:0:0::/64'],
  ])('for %s is %s', (ip, address) => {
    expect(from(ip)).toBe(address);
  });

  it('is the address of the connection if Express has no address', () => {
    expect(from(undefined, '192.0.2.7')).toBe('192.0.2.7');
    expect(from(undefined)).toBe('unknown');
  });
});
