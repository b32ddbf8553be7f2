import { priceOf } from './price.js';

describe('the price of a call', () => {
  it('is computed exactly and rounded once', () => {
    expect(
      priceOf(
        [{ billable: 'input_text', unit: 'character', costUsd: '0.0000000004' }],
        [{ billable: 'input_text', unit: 'character', amount: 2 }],
      ),
    ).toBe(1n);
  });

  it('uses the price line of the variant if there is one, and is 0 for units without a price line', () => {
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

  it('is the highest price if only variants have prices and the vendor chooses the variant', () => {
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
