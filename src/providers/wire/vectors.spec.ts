import { checkedVectors } from './vectors.js';

const base64Of = (...numbers: readonly number[]): string =>
  Buffer.from(new Float32Array(numbers).buffer).toString('base64');
const MAX_FLOAT32 = 3.4028234663852886e38;

describe('checkedVectors', () => {
  it.each([
    ['numbers', [[1, -0.5]], [[1, -0.5]]],
    ['the largest number of float32', [[MAX_FLOAT32, -MAX_FLOAT32]], [[MAX_FLOAT32, -MAX_FLOAT32]]],
    ['base64 with + and /', ['//8/AQ==', '+/8/AQ=='], ['//8/AQ==', '+/8/AQ==']],
    ['base64', [base64Of(1, 2, 3)], [base64Of(1, 2, 3)]],
    ['base64 without its padding', [base64Of(1).replace(/=+$/, '')], [base64Of(1)]],
    ['numbers and base64 in one response', [[1, 2], base64Of(3, 4)], [[1, 2], base64Of(3, 4)]],
  ])('returns %s', (_, values, expected) => {
    expect(checkedVectors(values, values.length)).toEqual(expected);
  });

  it.each([
    ['too few vectors', [], 1],
    ['too many vectors', [[1], [2]], 1],
    ['vectors of different lengths', [[1, 2], [3]], 2],
    ['vectors of different lengths and encodings', [[1, 2], base64Of(3)], 2],
    ['an empty vector', [[]], 1],
    ['null', [null], 1],
    ['an object', [{ 0: 1, length: 1 }], 1],
    ['null in place of a number', [[1, null]], 1],
    ['text in place of a number', [['1']], 1],
    ['NaN', [[NaN]], 1],
    ['infinity', [[Infinity]], 1],
    ['a number above the range of float32', [[MAX_FLOAT32 * 1.1]], 1],
    ['empty text', [''], 1],
    ['text that is no base64', ['no base64!'], 1],
    ['URL-safe base64', ['__8_AQ=='], 1],
    ['base64 of three bytes', ['AAAA'], 1],
    ['base64 of five bytes', ['AAAAAAA='], 1],
    ['NaN in base64', [base64Of(1, NaN)], 1],
    ['infinity in base64', [base64Of(-Infinity)], 1],
  ])('refuses %s', (_, values, count) => {
    expect(() => checkedVectors(values, count)).toThrow(expect.objectContaining({ kind: 'provider_failed' }));
  });
});
