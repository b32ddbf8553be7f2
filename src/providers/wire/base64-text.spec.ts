import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { checkedBase64, isBase64 } from './base64-text.js';

/** The rule of base64 as a pattern, with which the fast implementation is compared. */
const isBase64ByRule = (text: string): boolean =>
  /^[A-Za-z0-9+/]+={0,2}$/.test(text) && (text.includes('=') ? text.length % 4 === 0 : text.length % 4 !== 1);
const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
const OTHERS = ['=', '-', '_', ' ', '\r', '\n', '\t', '"', '\\', '\0', '.', ',', 'é', 'ÿ', '\u0141', '\u2028', '😀'];

describe('base64 of a vendor', () => {
  it('is recognised exactly as by the pattern, with other characters at any positions', () => {
    const text = fc
      .tuple(
        fc.array(fc.constantFrom(...LETTERS), { maxLength: 70 }),
        fc.array(fc.tuple(fc.nat(80), fc.constantFrom(...OTHERS)), { maxLength: 5 }),
      )
      .map(([letters, others]) => {
        for (const [at, other] of others) letters.splice(at, 0, other);
        return letters.join('');
      });
    fc.assert(
      fc.property(text, (each) => isBase64(each) === isBase64ByRule(each)),
      { numRuns: 3_000 },
    );
  });

  it('is checked across the borders of slices and views', () => {
    for (const bytes of [49_150, 49_151, 49_152, 49_153, 98_304, 150_000]) {
      const text = randomBytes(bytes).toString('base64');
      expect(isBase64(text)).toBe(true);
      const buffer = Buffer.from(text, 'latin1');
      for (const cut of [1, 2, 3, 4, 5, 65_535, 65_536, 65_537])
        expect(checkedBase64([buffer.subarray(0, cut), buffer.subarray(cut)]).length).toBe(2);
      for (const at of [0, 1, 65_534, 65_535, 65_536, 65_537, text.length - 1]) {
        if (at < text.length) expect(isBase64(`${text.slice(0, at)}\r${text.slice(at + 1)}`)).toBe(false);
      }
    }
  });

  it('is forwarded unchanged, or decoded if its JSON string contains escapes', () => {
    const views = [Buffer.from('QUJ'), Buffer.from('DQQ==')];
    expect(checkedBase64(views)).toBe(views);
    expect(checkedBase64([Buffer.from(String.raw`QU\/`), Buffer.from(String.raw`D\u0051Q==`)])).toBe('QU/DQQ==');
    for (const bad of ['', '\\', '\\/', 'QU\\nJD', '"', 'QUJD\\', '\\u000d', 'QUJDQ'])
      expect(() => checkedBase64([Buffer.from(bad)])).toThrow('not base64');
  });
});
