import { compared } from './compared';

const sorted = (values: readonly (string | number | null)[], direction: 'ascending' | 'descending') =>
  values.toSorted((a, b) => compared(a, b, direction));

describe('rows that are sorted', () => {
  it('are in the order of numbers, not of their digits', () => {
    expect(sorted([10, 9, -1, 100], 'ascending')).toEqual([-1, 9, 10, 100]);
    expect(sorted([10, 9, -1, 100], 'descending')).toEqual([100, 10, 9, -1]);
  });

  it('are in alphabetical order without regard to case, and numbers in texts are in numerical order', () => {
    expect(sorted(['key 10', 'Key 9', 'b', 'A'], 'ascending')).toEqual(['A', 'b', 'Key 9', 'key 10']);
  });

  it('have absent values last in both directions', () => {
    expect(sorted([null, 1, 2], 'ascending')).toEqual([1, 2, null]);
    expect(sorted([null, 1, 2], 'descending')).toEqual([2, 1, null]);
  });
});
