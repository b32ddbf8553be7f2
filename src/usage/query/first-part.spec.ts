import type { AnalyticsPlan, AnalyticsResult } from '../analytics-query.js';
import { readFirstPartFirst } from './first-part.js';

const HOUR_MS = 3_600_000;
const FROM = Date.parse('2026-03-02T00:20:00Z');
const TO = FROM + 20 * 24 * HOUR_MS;
const PLAN: AnalyticsPlan = {
  accountNo: 1,
  from: FROM,
  to: TO,
  granularity: 'hour',
  metrics: ['request_count'],
  dimensions: ['api_key_id'],
  filters: [],
  order: { by: 'date', descending: true },
  groupLimit: null,
  limit: 100,
};

/** A store with `keys` rows in every hour. */
class HourlyStore {
  readonly windows: [number, number][] = [];

  constructor(private readonly keys: number) {}

  readonly read = (plan: AnalyticsPlan): Promise<AnalyticsResult> => {
    this.windows.push([plan.from, plan.to]);
    const hours = Array.from(
      { length: Math.ceil(plan.to / HOUR_MS) - Math.floor(plan.from / HOUR_MS) },
      (_, index) => Math.floor(plan.from / HOUR_MS) + index,
    );
    const sorted = plan.order.descending ? hours.toReversed() : hours;
    // Each row contains the part of its hour that is in the window, so that the test detects an hour that the window
    // cuts.
    const share = (hour: number): number =>
      Math.min(plan.to, (hour + 1) * HOUR_MS) - Math.max(plan.from, hour * HOUR_MS);
    const rows = sorted.flatMap((hour) => Array.from({ length: this.keys }, (_, key) => [hour, key, share(hour)]));
    const kept = rows.slice(0, plan.limit);
    return Promise.resolve({
      rows: Buffer.from(JSON.stringify(kept)),
      rowCount: kept.length,
      truncated: rows.length > kept.length,
      warnings: [],
    });
  };
}

describe('readFirstPartFirst', () => {
  const resultsOf = async (
    plan: AnalyticsPlan,
    keys: number,
  ): Promise<{ same: boolean; windows: [number, number][] }> => {
    const store = new HourlyStore(keys);
    const result = await readFirstPartFirst(plan, store.read);
    const whole = await new HourlyStore(keys).read(plan);
    return { same: JSON.stringify(result) === JSON.stringify(whole), windows: store.windows };
  };
  const read = ([from, to]: [number, number]): number => (to - from) / (TO - FROM);

  it('reads only the newest sixteenth of the window, in whole buckets, if its rows reach the limit', async () => {
    const { same, windows } = await resultsOf(PLAN, 10);
    expect(same).toBe(true);
    expect(windows).toHaveLength(1);
    expect(windows[0]![0] % HOUR_MS).toBe(0);
    expect(windows[0]![1]).toBe(TO);
    expect(read(windows[0]!)).toBeLessThan(0.07);
  });

  it('reads the oldest part if the oldest rows come first', async () => {
    const { same, windows } = await resultsOf({ ...PLAN, order: { by: 'date', descending: false } }, 10);
    expect(same).toBe(true);
    expect(windows).toHaveLength(1);
    expect(windows[0]![0]).toBe(FROM);
    expect(windows[0]![1] % HOUR_MS).toBe(0);
  });

  it('reads a larger part, then the whole window, if there are fewer rows than the limit', async () => {
    const some = await resultsOf({ ...PLAN, limit: 150 }, 1);
    expect(some.same).toBe(true);
    expect(some.windows.length).toBe(2);
    expect(read(some.windows.at(-1)!)).toBeLessThan(0.5);
    const all = await resultsOf({ ...PLAN, limit: 1_000 }, 1);
    expect(all.same).toBe(true);
    expect(all.windows.at(-1)).toEqual([FROM, TO]);
  });

  it.each<[string, Partial<AnalyticsPlan>]>([
    ['rows that are not ordered by time', { order: { by: 'request_count', descending: true } }],
    ['a limit for each combination', { groupLimit: 3 }],
    ['months, which are most of a window anyway', { granularity: 'month' }],
    ['dimensions of few values', { dimensions: ['status'] }],
    ['a window of few buckets', { from: TO - HOUR_MS / 2 }],
  ])('reads the whole window at once for %s', async (_, change) => {
    const { same, windows } = await resultsOf({ ...PLAN, ...change }, 10);
    expect(same).toBe(true);
    expect(windows).toHaveLength(1);
    expect(windows[0]).toEqual([change.from ?? FROM, TO]);
  });
});
