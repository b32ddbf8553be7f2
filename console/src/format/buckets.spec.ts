import { bucketTimes } from './buckets';

const timesOf = (granularity: string, start: string, end: string): string[] =>
  bucketTimes({ granularity, start, end }).map((time) => new Date(time * 1_000).toISOString());

describe('the buckets of a time range', () => {
  it.each([
    ['minute', '2026-03-01T10:00:59Z', '2026-03-01T10:02:00Z', ['2026-03-01T10:00', '2026-03-01T10:01']],
    [
      'hour',
      '2026-03-01T10:30:00Z',
      '2026-03-01T12:00:01Z',
      ['2026-03-01T10:00', '2026-03-01T11:00', '2026-03-01T12:00'],
    ],
    ['day', '2026-02-28T23:59:59Z', '2026-03-01T00:00:01Z', ['2026-02-28T00:00', '2026-03-01T00:00']],
    // 2026-03-01 is a Sunday: its week began on the Monday before.
    ['week', '2026-03-01T12:00:00Z', '2026-03-02T00:00:01Z', ['2026-02-23T00:00', '2026-03-02T00:00']],
    [
      'month',
      '2025-12-31T00:00:00Z',
      '2026-02-01T00:00:01Z',
      ['2025-12-01T00:00', '2026-01-01T00:00', '2026-02-01T00:00'],
    ],
  ])('by %s begin where the range begins in one, in UTC', (granularity, start, end, expected) => {
    expect(timesOf(granularity, start, end)).toEqual(expected.map((time) => `${time}:00.000Z`));
  });

  it('leave out the bucket that begins at the end of the range', () => {
    expect(timesOf('day', '2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z')).toEqual(['2026-03-01T00:00:00.000Z']);
    expect(timesOf('month', '2026-03-01T00:00:00Z', '2026-03-01T00:00:00Z')).toEqual([]);
  });

  it('are bounded in number', () => {
    expect(timesOf('minute', '2020-01-01T00:00:00Z', '2026-01-01T00:00:00Z')).toHaveLength(20_000);
  });
});
