import { bytes, exactUsd, milliseconds, usd } from './amounts';

describe('amounts in USD', () => {
  it.each([
    [0, '$0.00'],
    [12.345, '$12.35'],
    [1_234.5, '$1,234.50'],
    [0.5, '$0.50'],
    [0.1184, '$0.1184'],
    [0.000_012_345, '$0.00001235'],
    [-0.5, '-$0.50'],
  ])('have up to four significant digits below a dollar, and two decimals above: %d', (amount, text) => {
    expect(usd(amount)).toBe(text);
  });

  it.each([
    [0, '$0.00'],
    [0.1, '$0.10'],
    [0.000_000_001, '$0.000000001'],
    [-1.5, '-$1.50'],
    [12_345.123_456_789, '$12,345.123456789'],
  ])('have all digits, down to the nano-dollar, if they must be exact: %d', (amount, text) => {
    expect(exactUsd(amount)).toBe(text);
  });
});

describe('sizes and times', () => {
  it.each([
    [0, '0 B'],
    [999, '999 B'],
    [1_000, '1.0 kB'],
    [1_500_000, '1.5 MB'],
  ])('are shown in a unit that suits the size: %d bytes', (size, text) => {
    expect(bytes(size)).toBe(text);
  });

  it.each([
    [999, '999 ms'],
    [1_000, '1.00 s'],
    [61_234, '61.23 s'],
  ])('are shown in a unit that suits the time: %d ms', (time, text) => {
    expect(milliseconds(time)).toBe(text);
  });
});
