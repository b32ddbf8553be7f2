import { Injectable } from '@nestjs/common';
import { hash, randomBytes } from 'node:crypto';
import { SecretValue } from '../kernel/secret-value.js';
import { hostOfTarget } from './target.js';

/** The permissions of one boot of an intern at the proxy. */
export interface EgressPass {
  readonly internId: string;
  /** Hosts that a user allowed for this boot, in addition to the hosts of the intern's secrets and settings. */
  readonly allowedHosts: ReadonlySet<string>;
}

/** The proxy credentials of interns. Each boot gets its own token, which is revoked when the boot ends. */
@Injectable()
export class EgressPasses {
  readonly #passes = new Map<string, EgressPass & { readonly allowedHosts: Set<string> }>();

  issue(internId: string): SecretValue {
    const token = randomBytes(32).toString('hex');
    this.#passes.set(keyOf(token), { internId, allowedHosts: new Set() });
    return new SecretValue(token);
  }

  /** Allows a host until the pass is revoked. Ignores a text that is neither an exact host name nor an address. */
  allow(token: SecretValue, host: string): void {
    const name = hostOfTarget(host);
    if (name !== undefined) this.#hostsOf(token)?.add(name);
  }

  /**
   * Revokes the permission that `allow` gave. Open connections to the host end at the next check of VaultWatch, unless
   * the intern's secrets or settings allow the host.
   */
  disallow(token: SecretValue, host: string): void {
    const name = hostOfTarget(host);
    if (name !== undefined) this.#hostsOf(token)?.delete(name);
  }

  revoke(token: SecretValue): void {
    this.#passes.delete(keyOf(token.reveal()));
  }

  find(token: string): EgressPass | undefined {
    return this.#passes.get(keyOf(token));
  }

  #hostsOf(token: SecretValue): Set<string> | undefined {
    return this.#passes.get(keyOf(token.reveal()))?.allowedHosts;
  }
}

/** Passes are looked up by SHA-256, so that the duration of the lookup does not reveal the token. */
const keyOf = (token: string): string => hash('sha256', token, 'hex');
