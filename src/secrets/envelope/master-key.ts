import { createSecretKey, hash, randomBytes, type KeyObject } from 'node:crypto';
import { openBytes, sealBytes } from './sealing.js';

const PROBE = Buffer.from('gatehouse master key');

/** A master key in memory. A KeyObject keeps the bytes out of the heap, logs and serialised data. */
export interface MasterKey {
  /** First 8 bytes of the SHA-256 of the key, in hex: identifies the key in the database without revealing it. */
  readonly id: string;
  readonly key: KeyObject;
}

/** Reads 32 bytes written as 64 hex characters or as base64; undefined for anything else. */
export function parseMasterKey(text: string): MasterKey | undefined {
  if (/^[0-9a-fA-F]{64}$/.test(text)) return masterKeyOf(Buffer.from(text, 'hex'));
  return /^[A-Za-z0-9+/]{43}=$/.test(text) ? masterKeyOf(Buffer.from(text, 'base64')) : undefined;
}

export const newMasterKey = (): MasterKey => masterKeyOf(randomBytes(32));

/** The text form of a key in a file. */
export const textOfMasterKey = ({ key }: MasterKey): string => key.export().toString('hex');

const masterKeyOf = (bytes: Buffer): MasterKey => ({
  id: hash('sha256', bytes, 'hex').slice(0, 16),
  key: createSecretKey(bytes),
});

/** A value stored with a key's id, so that a wrong key is detected at start. */
export const checkValueOf = ({ id, key }: MasterKey): Buffer => sealBytes(key, `master_key:${id}`, PROBE);

export const passesCheck = ({ id, key }: MasterKey, checkValue: Uint8Array): boolean =>
  openBytes(key, `master_key:${id}`, checkValue)?.equals(PROBE) ?? false;
