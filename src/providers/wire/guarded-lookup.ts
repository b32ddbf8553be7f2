import { lookup } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { callbackify } from 'node:util';

export interface Address {
  readonly address: string;
  readonly family: number;
}

export type Resolve = (host: string) => Promise<Address[]>;

export const resolveByDns: Resolve = (host) => lookup(host, { all: true });

/** A name whose addresses are not all fit to be connected to. */
export class AddressUnfit extends Error {
  override name = 'AddressUnfit';
}

/**
 * For sockets: the check is made on the very addresses that are connected to, all of them, because connecting tries one after
 * the other. Node never asks it for literal addresses: those are checked before.
 */
export function guardedLookup(
  isFit: (host: string, address: string) => boolean,
  resolve: Resolve = resolveByDns,
): LookupFunction {
  const fitAddresses = async (host: string): Promise<Address[]> => {
    const found = await resolve(host);
    if (found.length === 0 || !found.every(({ address }) => isFit(host, address)))
      throw new AddressUnfit('leads to an address that is not public');
    return found;
  };
  return (host, options, done) => {
    callbackify(fitAddresses)(host, (error, found) => {
      if (error) done(error, []);
      else if (options.all) done(null, found);
      else done(null, found[0]!.address, found[0]!.family);
    });
  };
}
