import { lookup } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { isIP, type LookupFunction } from 'node:net';
import { rootCertificates } from 'node:tls';
import { callbackify } from 'node:util';
import { Injectable } from '@nestjs/common';
import { Config } from '../config/config.js';
import { isPublicAddress } from '../kernel/public-address.js';

/** An address of a host that interns may not reach. */
export class AddressRefused extends Error {
  override name = 'AddressRefused';
}

/** The network as the proxy sees it. Tests put a small one of their own in its place. */
@Injectable()
export class Network {
  readonly #privateHosts: readonly string[];
  readonly #found = callbackify((host: string) => this.addressesOf(host));
  /** Whom the proxy believes a certificate. */
  readonly trusted: readonly string[];

  constructor({ values }: Config) {
    this.#privateHosts = values.EGRESS_PRIVATE_HOSTS;
    this.trusted =
      values.EGRESS_CA_FILE === undefined
        ? rootCertificates
        : [...rootCertificates, readFileSync(values.EGRESS_CA_FILE, 'utf8')];
  }

  /** The addresses of a host; all of them must be reachable, so that no second look-up can choose another one. */
  async addressesOf(host: string): Promise<{ address: string; family: number }[]> {
    const found = isIP(host) ? [{ address: host, family: isIP(host) }] : await this.resolve(host);
    if (!this.#privateHosts.includes(host) && !found.every(({ address }) => isPublicAddress(address)))
      throw new AddressRefused(`${host} leads to an address that is not public`);
    return found;
  }

  /** Where a connection to this port really goes. */
  portFor(_host: string, port: number): number {
    return port;
  }

  protected async resolve(host: string): Promise<{ address: string; family: number }[]> {
    return lookup(host, { all: true });
  }

  /** For sockets: the check is made on the very addresses that are connected to. Node skips it for literal ones: see `check`. */
  readonly lookup: LookupFunction = (host, options, done) => {
    this.#found(host, (error, found) => {
      if (error) done(error, []);
      else if (options.all) done(null, found);
      else done(null, found[0]!.address, found[0]!.family);
    });
  };

  /** Refuses a literal address, which no look-up would see. */
  async check(host: string): Promise<void> {
    if (isIP(host)) await this.addressesOf(host);
  }
}
