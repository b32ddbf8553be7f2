import fc from 'fast-check';
import { nanoToUsd, parseDecimal, sum, times, toNano, usdToNano } from './money.js';
import { priceOf } from './price.js';

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
  ])('rounds %s USD to %s nano-dollars, half away from zero', (text, nano) => {
    expect(toNano(parseDecimal(text)!)).toBe(nano);
  });

  it.each(['', '.', 'abc', '1,5', '0x10', 'NaN', 'Infinity', '1e99999'])('takes %p for no decimal', (text) => {
    expect(parseDecimal(text)).toBeUndefined();
  });

  it('never refuses an amount for its digits', () => {
    expect(usdToNano(0.1 + 0.2)).toBe(300_000_000n);
    expect(usdToNano(1e-12)).toBe(0n);
  });

  it('goes to the wire and back without loss, up to 15 digits, as far as doubles reach', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: -999_999_999_999_999n, max: 999_999_999_999_999n }),
        (nano) => usdToNano(nanoToUsd(nano)) === nano,
      ),
    );
  });

  it('prices a product exactly and rounds once', () => {
    // Three times a third of a nano-dollar is one, not nothing thrice.
    expect(toNano(times(parseDecimal('0.00000000033333333333333')!, 3n))).toBe(1n);
    expect(toNano(sum([parseDecimal('0.0000000004')!, parseDecimal('0.0000000004')!]))).toBe(1n);
    expect(
      priceOf(
        [{ billable: 'input_text', unit: 'character', costUsd: '0.0000000004' }],
        [{ billable: 'input_text', unit: 'character', amount: 2 }],
      ),
    ).toBe(1n);
  });

  it('prefers the price line of the variant, and prices what no line names at nothing', () => {
    const lines = [
      { billable: 'output_image', unit: 'image', costUsd: '0.02' },
      { billable: 'output_image', unit: 'image', costUsd: '0.05', variant: 'high' },
    ] as const;
    expect(priceOf(lines, [{ billable: 'output_image', unit: 'image', amount: 2, variants: ['high'] }])).toBe(
      100_000_000n,
    );
    expect(priceOf(lines, [{ billable: 'output_image', unit: 'image', amount: 1, variants: ['low'] }])).toBe(
      20_000_000n,
    );
    expect(priceOf(lines, [{ billable: 'input_text', unit: 'token', amount: 9 }])).toBe(0n);
  });

  it('prices by the dearest where only variants have a price and the vendor chooses among them', () => {
    const lines = [
      { billable: 'output_image', unit: 'image', costUsd: '0.011', variant: 'low' },
      { billable: 'output_image', unit: 'image', costUsd: '0.25', variant: 'high' },
      { billable: 'output_image', unit: 'image', costUsd: '0.0420', variant: 'medium' },
    ] as const;
    const of = (...variants: string[]): bigint =>
      priceOf(lines, [{ billable: 'output_image', unit: 'image', amount: 1, variants }]);
    expect([of('low'), of('medium'), of('high'), of('auto'), of(), of('medium', 'low')]).toEqual([
      11_000_000n,
      42_000_000n,
      250_000_000n,
      250_000_000n,
      250_000_000n,
      42_000_000n,
    ]);
  });
});
