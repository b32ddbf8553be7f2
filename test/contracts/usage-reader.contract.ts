import { planOf } from '../../src/usage/query/plan-request.js';
import type { AnalyticsRequest } from '../../src/usage/analytics-query.js';
import type { UsageReader } from '../../src/usage/query/usage-reader.port.js';
import { rowsOf } from '../support/analytics/rows-of.js';
import { naiveAnswer } from '../support/analytics/naive-analytics.js';
import { RandomNumbers } from '../support/random-numbers.js';
import { randomRequest } from '../support/analytics/random-request.js';
import { everyPage, listedAs, naiveList, randomList } from './call-list.contract.js';
import type { UsageSample } from '../support/analytics/usage-sample.js';

export interface ReaderUnderTest {
  readonly reader: UsageReader;
  readonly sample: UsageSample;
}

/** The last digits of a sum of doubles depend on the order of the values. */
const RELATIVE_ERROR = 1e-9;

const LISTS = 30;

/** The number of calls of the third account: one more than the maximum number of rows in a response. */
export const MANY_CALLS = 100_001;

/** The rules for every reader of usage records. `subject` is called when the tests run. */
export function usageReaderContract(
  subject: () => ReaderUnderTest,
  options: { queries: number; seed: number; lists?: number },
): void {
  const ask = async (request: AnalyticsRequest): Promise<{ rows: readonly object[]; truncated: boolean }> => {
    const { reader, sample } = subject();
    const plan = planOf(request, sample.accounts[0]!.no, sample.now);
    const result = await reader.read(plan, new AbortController().signal);
    const rows = rowsOf(result);
    expect(result.rowCount).toBe(rows.length);
    return { rows, truncated: result.truncated };
  };

  it(`returns the same as a naive computation for ${options.queries} random queries`, async () => {
    const { sample } = subject();
    const random = new RandomNumbers(options.seed);
    let rows = 0;
    for (let index = 0; index < options.queries; index++) {
      const request = randomRequest(random, sample);
      const expected = naiveAnswer(request, sample.accounts[0]!.no, sample);
      const answer = await ask(request).catch((error: Error) => {
        throw new Error(`query ${index}: ${JSON.stringify(request)}: ${error.message}`, { cause: error });
      });
      const difference = firstDifference(answer, expected);
      if (difference) throw new Error(`query ${index}: ${JSON.stringify(request)}\n${difference}`);
      rows += expected.rows.length;
    }
    // Queries without matching rows prove nothing.
    expect(rows).toBeGreaterThan(options.queries * 5);
  }, 3_600_000);

  it('returns at most 100,000 rows, and reports truncated if there are more', async () => {
    const { reader, sample } = subject();
    const many = (request: Partial<AnalyticsRequest>) => {
      const all = { time_range: { start: '2000-01-01', end: '3000-01-01' }, ...request };
      const plan = planOf(
        { metrics: ['request_count'], dimensions: ['generation_id'], ...all },
        sample.accounts[2]!.no,
        sample.now,
      );
      return reader.read(plan, new AbortController().signal);
    };
    const count = rowsOf(await many({ dimensions: [] }));
    expect(count).toEqual([{ request_count: MANY_CALLS }]);

    const cut = await many({ limit: 1e300, group_limit: 1e300, granularity: 'month' });
    expect([cut.rowCount, cut.truncated]).toEqual([100_000, true]);
    const rows = rowsOf(cut) as { generation_id: string }[];
    expect(new Set(rows.map(({ generation_id: id }) => id)).size).toBe(100_000);
    const oneLess = { filters: [{ field: 'generation_id', operator: 'neq', value: rows[0]!.generation_id }] };
    const whole = await many({ limit: 100_001, ...oneLess });
    expect([whole.rowCount, whole.truncated]).toEqual([100_000, false]);
    expect((await many({ ...oneLess, granularity: 'day' })).rowCount).toBe(100_000);
  }, 120_000);

  it('reads nothing of another account', async () => {
    const { sample } = subject();
    const others = new Set(sample.accounts[1]!.keys.map(({ hash }) => hash));
    const { rows } = await ask({
      metrics: ['request_count'],
      dimensions: ['api_key_id'],
      limit: 10_000,
      time_range: { start: '2026-01-01', end: '2026-11-21T00:00:00Z' },
    });
    expect(rows.length).toBeGreaterThan(0);
    expect(rows.filter((row) => others.has((row as { api_key_id: string }).api_key_id))).toEqual([]);
  });

  it('returns one row of zeros if nothing is grouped and nothing matches', async () => {
    const { rows } = await ask({
      metrics: ['request_count', 'total_usage', 'p99_latency', 'error_rate'],
      filters: [{ field: 'model', operator: 'eq', value: 'no/such' }],
    });
    expect(rows).toEqual([{ request_count: 0, total_usage: 0, p99_latency: 0, error_rate: 0 }]);
  });

  it('treats any text of a filter as a value, not as SQL', async () => {
    for (const value of [
      `'; drop table generation; --`,
      '$1',
      '\\',
      '"',
      '\u{1F600}',
      '%',
      '[',
      '{"a":1}',
      '',
      '\ud800',
      'x'.repeat(100_000),
    ]) {
      const { rows } = await ask({
        metrics: ['request_count'],
        filters: [
          { field: 'app', operator: 'in', value: [value] },
          { field: 'external_user', operator: 'neq', value },
        ],
      });
      expect(rows).toEqual([{ request_count: 0 }]);
      for (const operator of ['eq', 'lt', 'gte'])
        await ask({
          metrics: ['request_count'],
          filters: (['model', 'user', 'variant', 'generation_id', 'country'] as const).map((field) => ({
            field,
            operator,
            value,
          })),
        });
    }
  });

  it('accepts whole numbers of any size for a status', async () => {
    const all = async (operator: string, value: string | number): Promise<unknown> =>
      (await ask({ metrics: ['request_count'], filters: [{ field: 'status', operator, value }] })).rows;
    const [{ request_count: calls }] = (await ask({ metrics: ['request_count'] })).rows as [{ request_count: number }];
    expect(calls).toBeGreaterThan(0);
    expect(await all('lt', '9'.repeat(400))).toEqual([{ request_count: calls }]);
    expect(await all('gt', -(2 ** 40))).toEqual([{ request_count: calls }]);
    expect(await all('eq', 2 ** 40)).toEqual([{ request_count: 0 }]);
  });

  it('accepts a list of ten thousand values, twenty times', async () => {
    const value = Array.from({ length: 10_000 }, (_, index) => `nobody-${index}`);
    const { rows } = await ask({
      metrics: ['request_count'],
      filters: Array.from({ length: 20 }, () => ({ field: 'external_user', operator: 'in', value })),
    });
    expect(rows).toEqual([{ request_count: 0 }]);
  });

  it('lists calls newest first, page by page, like a naive computation', async () => {
    const { reader, sample } = subject();
    const { no } = sample.accounts[0]!;
    const random = new RandomNumbers(options.seed);
    const { lists = LISTS } = options;
    let rows = 0;
    for (let index = 0; index < lists; index++) {
      const request = randomList(random, sample);
      const expected = naiveList(request, sample, no);
      // A long list in small pages takes too much time, so use larger pages.
      const { limit } = request;
      const listed = await everyPage(reader, { ...request, limit: expected.length > 100 * limit ? 400 : limit }, no);
      if (JSON.stringify(listed) !== JSON.stringify(expected.map(listedAs)))
        throw new Error(`list ${index}: ${JSON.stringify(request)}: ${listed.length} of ${expected.length} calls`);
      rows += expected.length;
    }
    expect(rows).toBeGreaterThan(lists);
    expect(await everyPage(reader, { keyNos: [], limit: 10 }, no)).toEqual([]);
    expect(await everyPage(reader, { model: `'; drop table generation; --`, limit: 10 }, no)).toEqual([]);
  }, 600_000);

  it('rejects with the reason of a signal that aborts', async () => {
    const { reader, sample } = subject();
    const plan = planOf({ metrics: ['request_count'] }, sample.accounts[0]!.no, sample.now);
    const reason = new Error('enough');
    await expect(reader.read(plan, AbortSignal.abort(reason))).rejects.toBe(reason);
    const abort = new AbortController();
    const reading = reader.read(
      { ...plan, dimensions: ['generation_id', 'model'], from: 0, limit: 10_000 },
      abort.signal,
    );
    abort.abort(reason);
    await expect(reading).rejects.toBe(reason);
    expect(await reader.read(plan, new AbortController().signal)).toMatchObject({ truncated: false });
  });
}

function firstDifference(
  answer: { rows: readonly object[]; truncated: boolean },
  expected: { rows: readonly object[]; truncated: boolean },
): string | undefined {
  if (answer.truncated !== expected.truncated) return `truncated ${answer.truncated}, expected ${expected.truncated}`;
  if (answer.rows.length !== expected.rows.length)
    return `${answer.rows.length} rows, expected ${expected.rows.length}`;
  const at = expected.rows.findIndex((row, index) => !sameRow(answer.rows[index]!, row));
  return at < 0
    ? undefined
    : `row ${at}: ${JSON.stringify(answer.rows[at])}\nexpected ${JSON.stringify(expected.rows[at])}`;
}

function sameRow(a: object, b: object): boolean {
  const [left, right] = [Object.entries(a), Object.entries(b)];
  return (
    left.length === right.length &&
    left.every(
      ([name, value]: [string, unknown], index) =>
        right[index]![0] === name && sameValue(name, value, right[index]![1]),
    )
  );
}

function sameValue(name: string, a: unknown, b: unknown): boolean {
  if (name !== 'avg_throughput') return a === b;
  return Math.abs(Number(a) - Number(b)) <= RELATIVE_ERROR * Math.abs(Number(b));
}
