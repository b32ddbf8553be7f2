import fc from 'fast-check';
import { labelOfCredential } from './credential-label.js';

describe('the label of a credential', () => {
  it.each([
    ['sk-own-credential-0123456789-AbCd', 'sk-...AbCd'],
    ['0123456789abcd', '012...abcd'],
    ['0123456789abc', '012...abc'],
    ['01234567', '01...67'],
    ['0123456', '...'],
    ['k', '...'],
    ['{\n  "type": "service_account"\n}\n', '{··..."·}·'],
    ['😀'.repeat(40), '😀😀😀...😀😀😀😀'],
  ])('of %j is %j', (secret, label) => {
    expect(labelOfCredential(secret)).toBe(label);
  });

  it('never shows more than half of the credential, nor more than seven characters', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }), (secret) => {
        const shown = [...labelOfCredential(secret)].length - 3;
        expect(shown).toBeLessThanOrEqual(Math.min(7, [...secret].length / 2));
      }),
    );
  });
});
