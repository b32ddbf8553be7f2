import { createSecretKey, randomBytes } from 'node:crypto';
import { openBytes, sealBytes } from './sealing.js';

const aKey = () => createSecretKey(randomBytes(32));
const SECRET = Buffer.from('a secret of some length');

describe('sealed bytes', () => {
  it('can be opened with the same key and the same binding', () => {
    const key = aKey();

    expect(openBytes(key, 'byok:1', sealBytes(key, 'byok:1', SECRET))).toEqual(SECRET);
    expect(openBytes(key, 'byok:1', sealBytes(key, 'byok:1', Buffer.alloc(0)))).toEqual(Buffer.alloc(0));
  });

  it('cannot be opened with another binding or another key', () => {
    const key = aKey();
    const sealed = sealBytes(key, 'byok:1', SECRET);

    expect(openBytes(key, 'byok:2', sealed)).toBeUndefined();
    expect(openBytes(aKey(), 'byok:1', sealed)).toBeUndefined();
  });

  it('cannot be opened if any of their bytes was changed, or if they were truncated', () => {
    const key = aKey();
    const sealed = sealBytes(key, 'byok:1', SECRET);

    const changed = [...sealed.keys()].filter((at) => {
      const copy = Buffer.from(sealed);
      copy[at]! ^= 1;
      return openBytes(key, 'byok:1', copy) !== undefined;
    });
    const cut = [...sealed.keys()].filter(
      (length) => openBytes(key, 'byok:1', sealed.subarray(0, length)) !== undefined,
    );
    expect({ changed, cut }).toEqual({ changed: [], cut: [] });
  });

  it('start with their version and a nonce that never repeats, and contain nothing of the plaintext', () => {
    const key = aKey();
    const sealed = Array.from({ length: 100 }, () => sealBytes(key, 'byok:1', SECRET));

    expect(new Set(sealed.map((bytes) => bytes[0]))).toEqual(new Set([1]));
    expect(new Set(sealed.map((bytes) => bytes.subarray(1, 13).toString('hex'))).size).toBe(100);
    expect(sealed.map((bytes) => bytes.length)).toEqual(sealed.map(() => 1 + 12 + 16 + SECRET.length));
    expect(sealed.some((bytes) => bytes.includes('secret'))).toBe(false);
  });
});
