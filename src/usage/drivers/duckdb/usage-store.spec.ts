import { open } from 'node:fs/promises';
import { temporaryFolder, type TemporaryFolder } from '../../../../test/support/temporary-folder.js';
import { rowsOf } from '../../../../test/support/analytics/rows-of.js';
import { newId } from '../../../kernel/ids.js';
import type { AnalyticsPlan } from '../../analytics-query.js';
import type { Metric } from '../../analytics-vocabulary.js';
import { planOf } from '../../query/plan-request.js';
import { FED_COLUMNS } from './store-schema.js';
import type { Position } from '../../feed/position.js';
import type { TextSource } from './text-source.js';
import { UsageStore } from './usage-store.js';

const HOUR_MS = 3_600_000;
const NOW = Date.parse('2026-03-01T12:00:00Z');
const POSITION: Position = {
  mode: 'filling',
  history: 'h',
  seen: '1:1:',
  cursor: '00000000-0000-0000-0000-000000000000',
  at: NOW,
};

/** Labels are the models; keys and workspaces have no texts here. */
const texts = {
  labels: (ids: readonly number[]) =>
    Promise.resolve(ids.map((id) => ({ id, kind: id === 1 ? 1 : 3, value: `text ${id}` }))),
  keys: () => Promise.resolve([]),
  workspaces: () => Promise.resolve([]),
} as unknown as TextSource;

const line = (at: number, endUser: number, figures: { latency_ms?: number; status?: number } = {}): string => {
  const call = {
    ...Object.fromEntries(Object.keys(FED_COLUMNS).map((name) => [name, 0])),
    id: newId(at),
    created_ms: at,
    account_no: 1,
    model: 1,
    external_user: endUser,
    status: 200,
    is_byok: 'false',
    cost: 5,
    ...figures,
  };
  return Object.values(call).join(',');
};

describe('UsageStore', () => {
  let folder: TemporaryFolder;
  let store: UsageStore;
  beforeEach(async () => {
    folder = await temporaryFolder();
    store = await UsageStore.open({ folder: `${folder.path}/store`, threads: 1, memoryMb: 128 });
  });
  afterEach(async () => {
    store.close();
    await folder.remove();
  });

  const spending = async (): Promise<unknown> => {
    const plan = planOf(
      {
        metrics: ['total_usage', 'request_count'],
        dimensions: ['external_user'],
        time_range: { start: '2026-03-01T08:30:00Z', end: '2026-03-01T12:00:00Z' },
      },
      1,
      new Date(NOW),
    );
    return rowsOf(await store.read(plan, new AbortController().signal));
  };
  const hours = [9, 10, 11].map((hour) => NOW - (12 - hour) * HOUR_MS);

  it('sorts past hours into slice order, one slice at a time, without changing any result', async () => {
    for (const hour of hours)
      await store.add(
        Array.from({ length: 40 }, (_, index) => line(hour + index * 1000, 2 + (index % 7))).join('\n'),
        POSITION,
        texts,
      );
    const before = await spending();
    expect(before).toHaveLength(7);
    expect(await store.layOut(NOW, 60)).toBe(80);
    expect(await spending()).toEqual(before);
    // The last hour has too few calls to be a slice of its own.
    expect(await store.layOut(NOW, 60)).toBe(0);
    expect(await store.layOut(NOW, 40)).toBe(40);
    expect(await store.layOut(NOW, 1)).toBe(0);
    expect(await spending()).toEqual(before);
  });

  it('does not sort hours that may still get calls', async () => {
    await store.add([line(hours[2]!, 2), line(hours[2]! + 1, 3)].join('\n'), POSITION, texts);
    expect(await store.layOut(hours[2]! + HOUR_MS / 2, 1)).toBe(0);
    expect(await store.layOut(hours[2]! + HOUR_MS, 1)).toBe(2);
  });

  it('counts a call once if it is delivered again after its hour was sorted', async () => {
    const again = line(hours[0]!, 2);
    await store.add(again, POSITION, texts);
    expect(await store.layOut(NOW, 1)).toBe(1);
    await store.add([again, line(hours[0]! + 5, 2)].join('\n'), POSITION, texts);
    expect(await spending()).toEqual([{ external_user: 'text 2', total_usage: 1e-8, request_count: 2 }]);
  });

  it('computes exact latency percentiles of end users, whether or not the maximum is the percentile', async () => {
    const counts = [1, 2, 3, 9, 10, 11, 99, 100, 101, 250];
    const latency = (index: number): number => (index * 7919) % 1009;
    const lines = counts.flatMap((count, place) =>
      Array.from({ length: count }, (_, index) => line(hours[1]! + index, 2 + place, { latency_ms: latency(index) })),
    );
    // Failed calls are not ranked.
    await store.add([...lines, line(hours[1]!, 2, { latency_ms: 5000, status: 500 })].join('\n'), POSITION, texts);
    const asking = (...metrics: Metric[]): AnalyticsPlan =>
      planOf(
        {
          metrics,
          dimensions: ['external_user'],
          time_range: { start: '2026-03-01T08:30:00Z', end: '2026-03-01T12:00:00Z' },
        },
        1,
        new Date(NOW),
      );
    const rank = (count: number, percent: number): number =>
      Array.from({ length: count }, (_, index) => latency(index)).toSorted((a, b) => a - b)[
        Math.ceil((count * percent) / 100) - 1
      ]!;
    const resultsOf = async (plan: AnalyticsPlan): Promise<unknown[]> =>
      rowsOf(await store.read(plan, new AbortController().signal)).toSorted((a, b) =>
        String(a['external_user']).localeCompare(String(b['external_user']), 'en', { numeric: true }),
      );
    expect(await resultsOf(asking('p50_latency', 'p90_latency', 'p99_latency'))).toEqual(
      counts.map((count, place) => ({
        external_user: `text ${2 + place}`,
        p50_latency: rank(count, 50),
        p90_latency: rank(count, 90),
        p99_latency: rank(count, 99),
      })),
    );
    expect(await resultsOf(asking('p99_latency'))).toEqual(
      counts.map((count, place) => ({ external_user: `text ${2 + place}`, p99_latency: rank(count, 99) })),
    );
  });

  it('computes exact latency percentiles of whole days and of parts of days, without failed calls', async () => {
    const DAY_MS = 24 * HOUR_MS;
    const calls = Array.from({ length: 300 }, (_, index) => ({
      at: NOW - 3 * DAY_MS + index * 14 * 60_000,
      latency_ms: (index * 7919) % 97,
      status: index % 7 === 0 ? 500 : 200,
    }));
    // The failed calls have the lowest latencies. They are counted, but not ranked.
    for (const call of calls) if (call.status === 500) call.latency_ms = 0;
    await store.add(calls.map(({ at, ...figures }) => line(at, 2, figures)).join('\n'), POSITION, texts);
    const expected = (from: number, to: number): object => {
      const within = calls.filter(({ at }) => at >= from && at < to);
      const ranked = within.filter(({ status }) => status < 400).map((call) => call.latency_ms);
      const sorted = ranked.toSorted((a, b) => a - b);
      const rank = (percent: number): number => sorted[Math.ceil((sorted.length * percent) / 100) - 1] ?? 0;
      const error_count = within.length - ranked.length;
      return { request_count: within.length, error_count, p50_latency: rank(50), p99_latency: rank(99) };
    };
    const asked = async (
      from: number,
      to: number,
      granularity?: 'day' | 'hour',
    ): Promise<ReturnType<typeof rowsOf>> => {
      const time_range = { start: new Date(from).toISOString(), end: new Date(to).toISOString() };
      const metrics = ['request_count', 'error_count', 'p50_latency', 'p99_latency'];
      const plan = planOf({ metrics, granularity, time_range }, 1, new Date(NOW));
      return rowsOf(await store.read(plan, new AbortController().signal));
    };
    const midnight = Date.parse('2026-02-28T00:00:00Z');
    for (const [from, to] of [
      [midnight - 2 * DAY_MS, midnight + 2 * DAY_MS],
      [midnight, midnight + DAY_MS],
      [midnight - 1, midnight + DAY_MS + 1],
      [midnight - 5 * HOUR_MS, midnight + DAY_MS + 7 * HOUR_MS],
      [midnight + HOUR_MS, midnight + 2 * HOUR_MS],
      [NOW + DAY_MS, NOW + 3 * DAY_MS],
    ] as const)
      expect([from, await asked(from, to)]).toEqual([from, [expected(from, to)]]);
    for (const [granularity, length] of [
      ['day', DAY_MS],
      ['hour', HOUR_MS],
    ] as const) {
      const rows = await asked(midnight - DAY_MS, midnight + DAY_MS, granularity);
      expect(rows.length).toBe((2 * DAY_MS) / length);
      for (const { [`date__${granularity}`]: date, ...figures } of rows) {
        const start = Date.parse(String(date));
        expect([date, figures]).toEqual([date, expected(start, start + length)]);
      }
    }
  });

  it('does not sort hours again after it is reopened', async () => {
    await store.add([line(hours[0]!, 2), line(hours[1]!, 3)].join('\n'), POSITION, texts);
    await store.layOut(NOW, 1);
    const before = await spending();
    store.close();
    store = await UsageStore.open({ folder: `${folder.path}/store`, threads: 1, memoryMb: 128 });
    expect(await spending()).toEqual(before);
    expect(await store.layOut(NOW, 2)).toBe(0);
    expect(await store.layOut(NOW, 1)).toBe(1);
  });

  it('is created again if a block of its file is corrupt', async () => {
    await store.add(line(hours[0]!, 2), POSITION, texts);
    store.close();
    const file = await open(`${folder.path}/store/usage.duckdb`, 'r+');
    await file.write(Buffer.alloc(64, 7), 0, 64, 16);
    await file.close();
    store = await UsageStore.open({ folder: `${folder.path}/store`, threads: 1, memoryMb: 128 });
    expect(await spending()).toEqual([]);
  });
});
