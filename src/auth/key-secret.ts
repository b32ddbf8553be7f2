import { hash, randomBytes } from 'node:crypto';

/** Prefix of generated keys. Keys set at bootstrap may have another form. */
const KEY_PREFIX = 'sk-gh-v1-';

/** A new secret: the prefix and 64 random hex characters. */
export const newKeySecret = (): string => KEY_PREFIX + randomBytes(32).toString('hex');

/** The key's identifier: SHA-256 of the whole secret, 64 lowercase hex characters. */
export const hashOfKey = (secret: string): string => hash('sha256', secret, 'hex');

const HASH = /^[0-9a-f]{64}$/;

/** Whether a text has the form of a key's identifier. */
export const isKeyHash = (text: string): boolean => HASH.test(text);

/** Masked rendering: the prefix, the next 3 characters, dots, and the last 4 characters. */
export function labelOfKey(secret: string): string {
  const prefix = secret.startsWith(KEY_PREFIX) ? KEY_PREFIX : '';
  return `${prefix}${secret.slice(prefix.length, prefix.length + 3)}...${secret.slice(-4)}`;
}
