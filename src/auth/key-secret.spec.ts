import { createHash } from 'node:crypto';
import { hashOfKey, labelOfKey, newKeySecret } from './key-secret.js';

describe('the secret of a key (docs/api-rules.md, section 2)', () => {
  const secret = newKeySecret();

  it('is the prefix and 64 hexadecimal characters, different each time', () => {
    expect(secret).toMatch(/^sk-gh-v1-[0-9a-f]{64}$/);
    expect(newKeySecret()).not.toBe(secret);
  });

  it('has the SHA-256 of the whole secret as its hash', () => {
    expect(hashOfKey(secret)).toBe(createHash('sha256').update(secret).digest('hex'));
  });

  it('has a different hash if any of its characters differs', () => {
    const others = [...secret].map((character, index) =>
      hashOfKey(secret.slice(0, index) + (character === 'x' ? 'y' : 'x') + secret.slice(index + 1)),
    );
    expect(new Set([...others, hashOfKey(secret), hashOfKey(`${secret}0`)]).size).toBe(secret.length + 2);
  });

  it('has a label with the prefix, the 3 characters after the prefix, and the last 4 characters', () => {
    expect(labelOfKey(secret)).toBe(`sk-gh-v1-${secret.slice(9, 12)}...${secret.slice(-4)}`);
    expect(labelOfKey('own-secret')).toBe('own...cret');
  });
});
