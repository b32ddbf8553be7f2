import fc from 'fast-check';
import { MAX_NANO, nanoToText, nanoToUsd, parseDecimal, sum, times, toNano, usdToNano } from './money.js';

describe('money', () => {
  it.each([
    ['0.0000000005', 1n],
    ['0.00000000049', 0n],
    ['0.0000000015', 2n],
    ['-0.0000000005', -1n],
    ['1e-9', 1n],
    ['1E+2', 100_000_000_000n],
    ['12.5', 12_500_000_000n],
    ['.5', 500_000_000n],
  ])('of %s USD is rounded to %s nano-dollars, half away from zero', (text, nano) => {
    expect(toNano(parseDecimal(text)!)).toBe(nano);
  });

  it.each(['', '.', 'abc', '1,5', '0x10', 'NaN', 'Infinity', '1e99999'])(
    'is not read from %p, which is no decimal',
    (text) => {
      expect(parseDecimal(text)).toBeUndefined();
    },
  );

  it('may have any number of digits', () => {
    expect(usdToNano(0.1 + 0.2)).toBe(300_000_000n);
    expect(usdToNano(1e-12)).toBe(0n);
  });

  it('is converted to a double and back without loss, up to 15 digits', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -999_999_999_999_999n, max: 999_999_999_999_999n }),
        (nano) => usdToNano(nanoToUsd(nano)) === nano,
      ),
    );
  });

  it.each([
    [0n, '0.00'],
    [1n, '0.000000001'],
    [-14n, '-0.000000014'],
    [12_500_000_000n, '12.50'],
    [1_230_000_000n, '1.23'],
    [1_234_000_000n, '1.234'],
    [MAX_NANO, '9223372036.854775807'],
  ])('of %s nano-dollars is written as %s USD', (nano, text) => {
    expect(nanoToText(nano)).toBe(text);
    expect(usdToNano(text)).toBe(nano);
  });

  it('is multiplied and added exactly, and rounded once', () => {
    // Three times a third of a nano-dollar is 1, not 3 × 0.
    expect(toNano(times(parseDecimal('0.00000000033333333333333')!, 3n))).toBe(1n);
    expect(toNano(sum([parseDecimal('0.0000000004')!, parseDecimal('0.0000000004')!]))).toBe(1n);
  });
});
