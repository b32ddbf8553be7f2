import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { rootCertificates } from 'node:tls';
import { Injectable } from '@nestjs/common';
import { Config, ConfigError } from '../config/config.js';
import { lookupBy, resolveByDns, type Address } from '../kernel/addresses/guarded-lookup.js';
import { isPublicAddress } from '../kernel/addresses/public-address.js';

/** A host has an address that is not public, and EGRESS_PRIVATE_HOSTS does not contain the host. */
export class AddressRefused extends Error {
  override name = 'AddressRefused';

  constructor(readonly host: string) {
    super(`${host} resolves to an address that is not public`);
  }
}

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g;

/**
 * The certificates in a file, PEM. Throws a ConfigError if the file is missing or invalid. Called when the service
 * starts, so that an invalid file prevents the start.
 */
function certificatesIn(file: string): string[] {
  const refuse = (why: string): never => {
    throw new ConfigError(`EGRESS_CA_FILE must name a file with certificates in PEM (${file}: ${why})`);
  };
  let text = '';
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    refuse((error as NodeJS.ErrnoException).code ?? 'it cannot be read');
  }
  const found = text.match(CERTIFICATE) ?? [];
  if (found.length === 0) refuse('it has no certificate');
  return found.map((certificate, index) => {
    try {
      return new X509Certificate(certificate).toString();
    } catch {
      return refuse(`certificate ${index + 1} in it is not valid`);
    }
  });
}

/**
 * Resolves and checks host names, and provides the trusted certificate authorities, for the outgoing connections of the
 * egress proxy. Tests replace it.
 */
@Injectable()
export class Network {
  readonly #privateHosts: readonly string[];
  /** The certificate authorities of EGRESS_CA_FILE, PEM. */
  readonly ownAuthorities: readonly string[];
  /** The trusted certificate authorities, PEM. */
  readonly trusted: readonly string[];

  constructor({ values }: Config) {
    this.#privateHosts = values.EGRESS_PRIVATE_HOSTS;
    this.ownAuthorities = values.EGRESS_CA_FILE === undefined ? [] : certificatesIn(values.EGRESS_CA_FILE);
    this.trusted = [...rootCertificates, ...this.ownAuthorities];
  }

  /** The addresses of a host. Throws AddressRefused if one of them is not allowed, even if it would not be used. */
  async addressesOf(host: string): Promise<Address[]> {
    const found = isIP(host) ? [{ address: host, family: isIP(host) }] : await this.resolve(host);
    if (!this.#privateHosts.includes(host) && !found.every(({ address }) => isPublicAddress(address)))
      throw new AddressRefused(host);
    return found;
  }

  /** The port to connect to; tests override it. */
  portFor(_host: string, port: number): number {
    return port;
  }

  protected resolve(host: string): Promise<Address[]> {
    return resolveByDns(host);
  }

  /**
   * The option `lookup` of sockets: resolves a host and checks its addresses. Node does not call it for IP addresses.
   * Use `check` for them.
   */
  readonly lookup = lookupBy((host) => this.addressesOf(host));

  /** Checks a literal address, for which Node does no lookup. */
  async check(host: string): Promise<void> {
    if (isIP(host)) await this.addressesOf(host);
  }
}
