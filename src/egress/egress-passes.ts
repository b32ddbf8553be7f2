import { Injectable } from '@nestjs/common';
import { hash, randomBytes } from 'node:crypto';
import { SecretValue } from '../kernel/secret-value.js';

/** Which intern is behind a call to the proxy: each boot gets a token of its own, which dies with it. */
@Injectable()
export class EgressPasses {
  readonly #internOf = new Map<string, string>();

  issue(internId: string): SecretValue {
    const token = randomBytes(32).toString('hex');
    this.#internOf.set(hash('sha256', token, 'hex'), internId);
    return new SecretValue(token);
  }

  revoke(token: SecretValue): void {
    this.#internOf.delete(hash('sha256', token.reveal(), 'hex'));
  }

  /** By digest, so that no comparison takes the longer the more of a guess is right. */
  internOf(token: string): string | undefined {
    return this.#internOf.get(hash('sha256', token, 'hex'));
  }
}
