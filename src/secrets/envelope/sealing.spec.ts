import { createSecretKey, randomBytes } from 'node:crypto';
import { openBytes, sealBytes } from './sealing.js';

const aKey = () => createSecretKey(randomBytes(32));
const SECRET = Buffer.from('a secret of some length');

describe('sealed bytes', () => {
  it('open again under the same key for the same binding', () => {
    const key = aKey();

    expect(openBytes(key, 'byok:1', sealBytes(key, 'byok:1', SECRET))).toEqual(SECRET);
    expect(openBytes(key, 'byok:1', sealBytes(key, 'byok:1', Buffer.alloc(0)))).toEqual(Buffer.alloc(0));
  });

  it('do not open for another binding, nor under another key', () => {
    const key = aKey();
    const sealed = sealBytes(key, 'byok:1', SECRET);

    expect(openBytes(key, 'byok:2', sealed)).toBeUndefined();
    expect(openBytes(aKey(), 'byok:1', sealed)).toBeUndefined();
  });

  it('do not open when any one of their bytes was changed, or when they were cut', () => {
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

  it('carry their version first, then a nonce that is never the same, and nothing of the plaintext', () => {
    const key = aKey();
    const sealed = Array.from({ length: 100 }, () => sealBytes(key, 'byok:1', SECRET));

    expect(new Set(sealed.map((bytes) => bytes[0]))).toEqual(new Set([1]));
    expect(new Set(sealed.map((bytes) => bytes.subarray(1, 13).toString('hex'))).size).toBe(100);
    expect(sealed.map((bytes) => bytes.length)).toEqual(sealed.map(() => 1 + 12 + 16 + SECRET.length));
    expect(sealed.some((bytes) => bytes.includes('secret'))).toBe(false);
  });
});
