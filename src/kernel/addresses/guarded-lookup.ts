import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { isPublicAddress } from './public-address.js';

export interface Address {
  readonly address: string;
  readonly family: number;
}

export type Resolve = (host: string) => Promise<Address[]>;

export const resolveByDns: Resolve = (host) => lookup(host, { all: true });

/** The rule that allows public addresses, and any address of the hosts in `privateHosts`. */
export const publicOrNamed =
  (privateHosts: readonly string[]) =>
  (host: string, address: string): boolean =>
    isPublicAddress(address) || privateHosts.includes(host.toLowerCase().replace(/\.$/, ''));

/** Thrown for a host name without addresses, or with an address that is not allowed. */
export class AddressNotPublic extends Error {
  override name = 'AddressNotPublic';
}

/**
 * A `lookup` function for sockets. It checks all addresses that the socket will connect to, because Node tries them one
 * after another. Node does not call the function for literal addresses, so the caller must check those.
 */
export function guardedLookup(
  isAllowed: (host: string, address: string) => boolean,
  resolve: Resolve = resolveByDns,
): LookupFunction {
  const allowedAddresses = async (host: string): Promise<Address[]> => {
    const found = await resolve(host);
    if (found.length === 0 || !found.every(({ address }) => isAllowed(host, address)))
      throw new AddressNotPublic('resolves to an address that is not public');
    return found;
  };
  return lookupBy(allowedAddresses);
}

/** A `lookup` function for sockets. `addressesOf` returns at least one address, or throws. */
export function lookupBy(addressesOf: Resolve): LookupFunction {
  const lookUp = callbackify(addressesOf);
  return (host, options, done) =>
    lookUp(host, (error, found) => {
      if (error) done(error, []);
      else if (options.all) done(null, found);
      else done(null, found[0]!.address, found[0]!.family);
    });
}
