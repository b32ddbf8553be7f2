import { createCipheriv, createDecipheriv, randomBytes, type KeyObject } from 'node:crypto';

const VERSION = 1;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const HEADER_BYTES = 1 + NONCE_BYTES + TAG_BYTES;

/**
 * Encrypts with AES-256-GCM and a random nonce. Returns the version (1 byte), the nonce (12), the tag (16) and the
 * ciphertext. The version and the binding are authenticated, so that bytes that were sealed for one row cannot be
 * opened for another row.
 */
export function sealBytes(key: KeyObject, binding: string, plaintext: Uint8Array): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(authenticated(binding));
  const ciphertext = Buffer.concat([cipher.update(plaintext), cipher.final()]);
  return Buffer.concat([Buffer.of(VERSION), nonce, cipher.getAuthTag(), ciphertext]);
}

/** Returns undefined if the bytes were not sealed by this key for this binding, or were changed. */
export function openBytes(key: KeyObject, binding: string, sealed: Uint8Array): Buffer | undefined {
  if (sealed.length < HEADER_BYTES || sealed[0] !== VERSION) return undefined;
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(1, 1 + NONCE_BYTES), {
    authTagLength: TAG_BYTES,
  })
    .setAAD(authenticated(binding))
    .setAuthTag(sealed.subarray(1 + NONCE_BYTES, HEADER_BYTES));
  try {
    return Buffer.concat([decipher.update(sealed.subarray(HEADER_BYTES)), decipher.final()]);
  } catch {
    return undefined;
  }
}

const authenticated = (binding: string): Buffer => Buffer.from(`gatehouse:${VERSION}:${binding}`, 'utf8');
