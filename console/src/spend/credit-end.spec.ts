import { setZone } from '../format/zone';
import { creditEnd } from './credit-end';

const NOW = Date.parse('2026-03-11T00:00:00Z');

describe('the end of credits', () => {
  beforeAll(() => setZone('utc'));
  afterAll(() => setZone('local'));

  it('is the day on which the remaining credits are used up at the given daily rate', () => {
    expect(creditEnd(30, 3, NOW)).toBe('Mar 21, 2026');
    expect(creditEnd(1.5, 1, NOW)).toBe('Mar 12, 2026');
  });

  it('is now if no credits are left, and unknown if nothing is spent or the credits last over ten years', () => {
    expect([creditEnd(0, 0, NOW), creditEnd(-1, 3, NOW)]).toEqual(['now', 'now']);
    expect([creditEnd(30, 0, NOW), creditEnd(3_651, 1, NOW)]).toEqual([null, null]);
    expect(creditEnd(3_650, 1, NOW)).toBe('Mar 8, 2036');
  });
});
