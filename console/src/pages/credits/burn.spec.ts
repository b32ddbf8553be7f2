import { monthForecast, monthStart } from './burn';

const NOW = Date.parse('2026-03-11T00:00:00Z');

describe('the forecast of a month', () => {
  it('assumes the rate of the month so far', () => {
    expect(monthForecast(10, NOW)).toBeCloseTo(31, 9);
    expect(monthForecast(10, monthStart(NOW))).toBe(10);
  });

  it('finds the start of the previous and of the next month across the end of a year', () => {
    expect(new Date(monthStart(Date.parse('2026-01-31T23:59:59Z'), -1)).toISOString()).toBe('2025-12-01T00:00:00.000Z');
    expect(new Date(monthStart(Date.parse('2025-12-31T23:59:59Z'), 1)).toISOString()).toBe('2026-01-01T00:00:00.000Z');
  });
});
