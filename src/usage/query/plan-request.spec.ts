import { GatewayError } from '../../kernel/errors/errors.js';
import type { AnalyticsRequest } from '../analytics-query.js';
import { MAX_ROWS, planOf } from './plan-request.js';

const NOW = new Date('2026-11-20T12:34:56.789Z');
const plan = (request: Partial<AnalyticsRequest>) => planOf({ metrics: ['request_count'], ...request }, 1, NOW);
const since = (start: string): number => plan({ time_range: { start, end: '2030-01-01T00:00:00Z' } }).from;
const refusal = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    expect(error).toBeInstanceOf(GatewayError);
    return `${(error as GatewayError).kind}: ${(error as GatewayError).message}`;
  }
  throw new Error('was not refused');
};

describe('time_range', () => {
  it('is the last 7 days by default', () => {
    const { from, to } = plan({});
    expect([to, to - from]).toEqual([NOW.getTime(), 7 * 86_400_000]);
  });

  it.each([
    ['2026-01-31', '2026-01-31T00:00:00.000Z'],
    ['2024-02-29', '2024-02-29T00:00:00.000Z'],
    ['2026-01-31T10:20', '2026-01-31T10:20:00.000Z'],
    ['2026-01-31T10:20:30', '2026-01-31T10:20:30.000Z'],
    ['2026-01-31 10:20:30', '2026-01-31T10:20:30.000Z'],
    ['2026-01-31t10:20:30z', '2026-01-31T10:20:30.000Z'],
    ['2026-01-31T10:20:30.5', '2026-01-31T10:20:30.500Z'],
    ['2026-01-31T10:20:30,25', '2026-01-31T10:20:30.250Z'],
    ['2026-01-31T10:20:30.123456', '2026-01-31T10:20:30.123Z'],
    ['2026-01-31T10:20:30.123456789012Z', '2026-01-31T10:20:30.123Z'],
    ['2026-01-31T10:20Z', '2026-01-31T10:20:00.000Z'],
    ['2026-01-31T10:20:30+05:45', '2026-01-31T04:35:30.000Z'],
    ['2026-01-31T10:20:30+0545', '2026-01-31T04:35:30.000Z'],
    ['2026-01-31T10:20:30-05', '2026-01-31T15:20:30.000Z'],
    ['2026-01-31T24:00:00Z', '2026-02-01T00:00:00.000Z'],
  ])('parses %s as %s', (text, moment) => {
    expect(new Date(since(text)).toISOString()).toBe(moment);
  });

  it.each([
    '',
    ' ',
    'yesterday',
    '2026',
    '2026-01',
    '2026-1-31',
    '2026-01-32',
    '2026-02-29',
    '2026-02-31T00:00:00Z',
    '2026-13-01',
    '2026-00-01',
    '2026-01-00',
    '2026-01-31T25:00',
    '2026-01-31T24:00:01Z',
    '2026-01-31T10:60',
    '2026-01-31T23:59:60Z',
    '2026-01-31T10',
    '2026-01-31T10:20.5',
    '2026-01-31T10:20:30.',
    '2026-01-31Z',
    '2026-01-31T10:20:30 +01:00',
    '2026-01-31T10:20:30+24:00',
    '2026-01-31T10:20:30+01:60',
    '1769817600',
    '-000000-01-01',
    '2026-01-31T10:20:30Z\n',
    '\u0662\u0660\u0662\u0666-01-31',
    '2026-01-31T10:20:30Z[UTC]',
    'x'.repeat(100_000),
  ])('refuses %j and names the member', (text) => {
    expect(refusal(() => since(text))).toMatch(/^invalid_request: time_range\.start must be an ISO 8601/);
    expect(refusal(() => plan({ time_range: { start: '2026-01-01', end: text } }))).toMatch(/time_range\.end must be/);
  });

  it('may span any time, and is narrowed to times that stores can compare', () => {
    const { from, to } = plan({ time_range: { start: '0000-01-01', end: '9999-12-31T23:59:59-23:59' } });
    expect(from).toBe(0);
    expect(to / 60_000).toBeLessThan(2 ** 31);
    expect(to).toBeGreaterThan(Date.UTC(3000, 0));
    const past = plan({ time_range: { start: '-271821-04-20', end: '1969-12-31' }, granularity: 'minute' });
    expect([past.from, past.to]).toEqual([0, 0]);
  });

  it('must begin before it ends', () => {
    for (const end of ['2026-01-30', '2026-01-31', '0001-01-01']) {
      expect(refusal(() => plan({ time_range: { start: '2026-01-31', end } }))).toMatch(/before/);
    }
  });
});

describe('limit and group_limit', () => {
  const series = { dimensions: ['model'], granularity: 'minute' } as const;

  it.each([
    [{}, 1_000, null],
    [{ granularity: 'minute' }, 1_000, null],
    [{ dimensions: ['model'] }, 1_000, null],
    [series, MAX_ROWS, null],
    [{ ...series, group_limit: 5 }, 1_000, 5],
    [{ ...series, group_limit: 5, limit: 7 }, 7, 5],
    [{ ...series, limit: 7 }, 7, null],
    [{ limit: 100_000 }, 100_000, null],
    [{ limit: 100_001 }, 100_000, null],
    [{ limit: 1e300 }, 100_000, null],
    [{ ...series, limit: Number.MAX_SAFE_INTEGER, group_limit: 99_999 }, 100_000, 99_999],
    [{ ...series, limit: Number.MAX_SAFE_INTEGER, group_limit: 1e300 }, 100_000, null],
    [{ granularity: 'day', group_limit: 1 }, 1_000, null],
  ])('of the request %j result in %d rows, and in %p rows per combination', (request, limit, groupLimit) => {
    const planned = plan(request);
    expect([planned.limit, planned.groupLimit]).toEqual([limit, groupLimit]);
  });
});
