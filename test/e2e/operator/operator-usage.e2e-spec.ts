import { eventually } from '../../support/eventually.js';
import { operate } from '../../support/services/operator-line.js';
import { startTestService, type TestService } from '../../support/services/test-service.js';

const ROWS = 3_000;

describe("the operator's commands for usage records:", () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService({ env: { RATE_LIMIT_ANALYTICS: 'off' } });
  });
  afterAll(() => service.stop());
  const operator = (...words: string[]) =>
    operate(service.databaseUrl, { DATABASE_URL: service.databaseUrl, MASTER_KEY: 'a1'.repeat(32) }, ...words);
  const range = {
    start: new Date(Date.now() - 30 * 86_400_000).toISOString(),
    end: new Date(Date.now() + 3_600_000).toISOString(),
  };
  // oxlint-disable-next-line typescript/no-explicit-any
  const query = async (json: object): Promise<any> =>
    (await service.management.post('/analytics/query', { json: { time_range: range, ...json } })).json.data;

  it('usage seed fills an empty account with synthetic calls, each in the partition of its day', async () => {
    expect(
      (await operator('usage', 'seed', '--rows', String(ROWS), '--keys', '3', '--days', '10')).error,
    ).toBeUndefined();
    const [stored] = await service.sql.query<{ rows: number; synthetic: boolean; lost: number; wrong: number }>(
      `select count(*)::int as rows, bool_and(synthetic) as synthetic,
         (count(*) filter (where tableoid = 'generation_default'::regclass))::int as lost,
         (count(*) filter (where date_trunc('milliseconds', created_at) <> created_at
           or substr(id::text, 15, 1) <> '7'))::int as wrong
       from generation`,
    );
    expect(stored).toEqual({ rows: ROWS, synthetic: true, lost: 0, wrong: 0 });
    expect((await query({ metrics: ['request_count'] })).data).toEqual([{ request_count: ROWS }]);
    const byDay = (
      await query({
        metrics: ['request_count', 'total_usage', 'p99_latency'],
        granularity: 'day',
        dimensions: ['modality'],
      })
    ).data;
    expect(new Set(byDay.map((row: { modality: string }) => row.modality)).size).toBe(4);
  });

  it('usage seed refuses an account that has calls', async () => {
    expect((await operator('usage', 'seed', '--rows', '10')).error).toMatchObject({
      message: expect.stringContaining('only into an account without calls'),
    });
    expect((await operator('usage', 'seed', '--rows', 'many')).error).toMatchObject({
      message: expect.stringContaining('--rows must be a whole number'),
    });
  });

  it('usage rebuild makes the running service rebuild its store', async () => {
    // From here on, queries read the columnar store. Deletions are not copied to the store.
    await eventually(
      async () => expect((await query({ metrics: ['request_count'] })).warnings).toBeUndefined(),
      25_000,
    );
    await service.sql.query('delete from generation where id in (select id from generation limit 7)');
    expect((await query({ metrics: ['request_count'] })).data).toEqual([{ request_count: ROWS }]);
    expect((await operator('usage', 'rebuild')).error).toBeUndefined();
    await eventually(
      async () =>
        expect(await query({ metrics: ['request_count'] })).toMatchObject({ data: [{ request_count: ROWS - 7 }] }),
      20_000,
    );
  });

  it('after usage rebuild, a settled call reaches the store', async () => {
    await eventually(
      async () => expect((await query({ metrics: ['request_count'] })).warnings).toBeUndefined(),
      20_000,
    );
    const answer = await service.standard.post('/audio/speech', {
      json: { model: 'builtin/flite', input: 'One more.', voice: 'slt' },
    });
    expect(answer.status).toBe(200);
    await eventually(
      async () => expect((await query({ metrics: ['request_count'] })).data).toEqual([{ request_count: ROWS - 6 }]),
      10_000,
    );
  });
});
