import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { Utf8Text } from './utf8-text.js';

const isText = (bytes: Uint8Array, step = bytes.length || 1): boolean => {
  const text = new Utf8Text();
  for (let at = 0; at < bytes.length; at += step) text.push(bytes.subarray(at, at + step));
  return text.end();
};

describe('the check of UTF-8 text in pieces', () => {
  it('gives the same result for any bytes, wherever they are split', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 40 }),
      fc.string({ unit: 'binary', maxLength: 20 }).map((text) => new TextEncoder().encode(text)),
    );
    const binary = (byte: number): boolean =>
      (byte < 0x20 && ![7, 8, 9, 10, 11, 12, 13, 27].includes(byte)) || byte === 0x7f;

    fc.assert(
      fc.property(bytes, fc.integer({ min: 1, max: 7 }), (given, step) => {
        expect(isText(given, step)).toBe(isUtf8(given) && !given.some(binary));
      }),
      { numRuns: 3_000 },
    );
  });

  it.each([
    ['a character cut off at the end', [0x61, 0xe2, 0x82]],
    ['a continuation without a beginning', [0x80]],
    ['an overlong slash', [0xc0, 0xaf]],
    ['half of a surrogate pair', [0xed, 0xa0, 0x80]],
    ['a character beyond Unicode', [0xf4, 0x90, 0x80, 0x80]],
    ['UTF-16', [0xff, 0xfe, 0x61, 0x00]],
    ['a zero byte', [0x61, 0x00, 0x62]],
  ])('refuses %s', (_, bytes) => {
    for (const step of [1, 2, 3, 10]) expect(isText(Uint8Array.from(bytes), step)).toBe(false);
  });

  it('accepts every script, line ends of all systems, tabs and coloured logs', () => {
    expect(isText(Buffer.from('Grüße 你好 🎉\r\n\tשלום\f\u001b[31mred\u001b[0m'), 1)).toBe(true);
  });
});
