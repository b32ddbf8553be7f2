import { requestedGranularity, bucketOf, bucketsOf, bucketTimes, isRunning } from './buckets';

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
  ])('begin with the bucket that contains the start of the range, in UTC: %s', (granularity, start, end, expected) => {
    expect(timesOf(granularity, start, end)).toEqual(expected.map((time) => `${time}:00.000Z`));
  });

  it('leave out the bucket that begins at the end of the range', () => {
    expect(timesOf('day', '2026-03-01T00:00:00Z', '2026-03-02T00:00:00Z')).toEqual(['2026-03-01T00:00:00.000Z']);
    expect(timesOf('month', '2026-03-01T00:00:00Z', '2026-03-01T00:00:00Z')).toEqual([]);
  });

  it('are at most 20,000', () => {
    expect(timesOf('minute', '2020-01-01T00:00:00Z', '2026-01-01T00:00:00Z')).toHaveLength(20_000);
  });
});

describe('days of a time zone', () => {
  // The TypeScript project of the console does not include the types of Node.js.
  const { env } = (globalThis as unknown as { process: { env: Record<string, string | undefined> } }).process;
  const before = env['TZ'];
  afterEach(() => {
    if (before === undefined) delete env['TZ'];
    else env['TZ'] = before;
  });
  const RANGE = { start: '2026-03-28T23:00:00.000Z', end: '2026-03-30T22:00:00.000Z' };

  it('are added up from hours, also at the start of daylight saving time', () => {
    env['TZ'] = 'Europe/Berlin';
    const buckets = bucketsOf(RANGE, 'day', 'local', true);
    expect(requestedGranularity(buckets)).toBe('hour');
    const times = bucketTimes(buckets);
    expect(times.map((time) => new Date(time * 1_000).toISOString())).toEqual([
      '2026-03-28T23:00:00.000Z',
      '2026-03-29T22:00:00.000Z',
    ]);
    expect(bucketOf(buckets, '2026-03-29T21:00:00Z')).toBe(times[0]);
    expect(bucketOf(buckets, '2026-03-29T22:00:00Z')).toBe(times[1]);
  });

  it.each([
    ['Asia/Kolkata', 'local', true],
    ['UTC', 'local', true],
    ['Europe/Berlin', 'utc', true],
    ['Europe/Berlin', 'local', false],
  ] as const)('are requested as days of UTC, not as hours: zone %s, choice %s, sum %s', (zone, chosen, isSum) => {
    env['TZ'] = zone;
    expect(requestedGranularity(bucketsOf(RANGE, 'day', chosen, isSum))).toBe('day');
  });
});

describe('the last bucket', () => {
  const RANGE = { granularity: 'day', start: '2026-03-01T00:00:00Z', end: '2026-03-03T10:00:00Z' };

  it('is running until the next bucket begins', () => {
    expect(isRunning(RANGE, Date.parse('2026-03-03T09:59:30Z'))).toBe(true);
    expect(isRunning({ ...RANGE, end: '2026-03-03T00:00:00Z' }, Date.parse('2026-03-03T09:59:30Z'))).toBe(false);
    expect(isRunning({ ...RANGE, granularity: 'month' }, Date.parse('2026-03-03T09:59:30Z'))).toBe(true);
  });
});
