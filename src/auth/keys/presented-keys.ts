import { Injectable } from '@nestjs/common';
import { AccessTokens } from '../access-tokens.port.js';
import { KeyDirectory } from '../key-directory.js';
import type { KnownKey } from '../known-key.js';

/** The form of a signed token: three parts, the first of which is a JSON object in base64url. */
const TOKEN = /^eyJ[\w-]+\.[\w-]+\.[\w-]+$/;

/** Finds the key for the credential in a request: the secret of a key, or a token that acts as a key. */
@Injectable()
export class PresentedKeys {
  constructor(
    private readonly keys: KeyDirectory,
    private readonly tokens: AccessTokens,
  ) {}

  /** Returns the key if it is cached. `hash`: the hash of the secret. */
  cached(hash: string): KnownKey | undefined {
    return this.keys.cached(hash);
  }

  find(hash: string): KnownKey | null | Promise<KnownKey | null> {
    return this.keys.find(hash);
  }

  /** Returns the key that a token acts as; null if the text is not a valid token. `hash`: SHA-256 of the text. */
  findByToken(text: string, hash: string): KnownKey | null | Promise<KnownKey | null> {
    if (!TOKEN.test(text)) return null;
    const keyHash = this.tokens.keyOf(text, hash);
    if (keyHash instanceof Promise) return keyHash.then((found) => (found === null ? null : this.keys.find(found)));
    return keyHash === null ? null : this.keys.find(keyHash);
  }
}
