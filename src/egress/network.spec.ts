import { promisify } from 'node:util';
import { Config } from '../config/config.js';
import { AddressRefused, Network } from './network.js';

const PUBLIC = { address: '93.184.215.14', family: 4 };
const ADDRESSES: Readonly<Record<string, { address: string; family: number }[]>> = {
  'public.test': [PUBLIC, { address: '2606:2800:220:1::1', family: 6 }],
  'inside.test': [{ address: '10.0.0.1', family: 4 }],
  'half.test': [PUBLIC, { address: '169.254.169.254', family: 4 }],
  'mapped.test': [PUBLIC, { address: '::ffff:127.0.0.1', family: 6 }],
  'allowed.test': [{ address: '127.0.0.1', family: 4 }],
};

class ScriptedNetwork extends Network {
  protected override async resolve(host: string): Promise<{ address: string; family: number }[]> {
    return ADDRESSES[host]!;
  }
}

describe('the network of interns', () => {
  const network = new ScriptedNetwork(Config.read({ EGRESS_PRIVATE_HOSTS: 'allowed.test' }));
  const lookup = promisify(network.lookup) as (host: string, options: { all: true }) => Promise<unknown>;

  it('returns all addresses of a host that is public, or that the operator allows', async () => {
    for (const host of ['public.test', 'allowed.test'])
      expect(await lookup(host, { all: true })).toEqual(ADDRESSES[host]);
  });

  it.each(['inside.test', 'half.test', 'mapped.test'])(
    'refuses a host with an address that is not public: %s',
    async (host) => {
      await expect(network.addressesOf(host)).rejects.toThrow(AddressRefused);
      await expect(lookup(host, { all: true })).rejects.toThrow(`${host} resolves to an address that is not public`);
    },
  );

  it.each(['127.0.0.1', '10.1.2.3', '169.254.169.254', '::1', '::ffff:10.0.0.1', 'fe80::1'])(
    'refuses the literal address %s',
    async (address) => {
      await expect(network.check(address)).rejects.toThrow(AddressRefused);
    },
  );
});
