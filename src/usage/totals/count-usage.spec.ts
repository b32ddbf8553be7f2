import { createTestDatabase, type TestDatabase } from '../../../test/support/database/test-database.js';
import { recordCalls } from '../../../test/support/calls/recorded-calls.js';
import { eventually } from '../../../test/support/eventually.js';
import { Config } from '../../config/config.js';
import { Sql, type SqlSession } from '../../database/sql.js';
import { OutboxSweeper } from '../outbox/outbox-sweeper.js';
import { UsageTotals } from './usage-totals.js';

interface Call {
  readonly model?: number;
  readonly cost?: bigint;
  readonly tokens?: number;
  readonly durationMs?: number;
  readonly status?: number;
}

describe('the totals of recorded calls', () => {
  let database: TestDatabase;
  let sql: Sql;
  let totals: UsageTotals;
  const config = (maxSeries = '2000'): Config => Config.read({ METRICS_MAX_SERIES: maxSeries });
  beforeEach(async () => {
    database = await createTestDatabase();
    sql = new Sql(database.url, 8);
    totals = new UsageTotals(sql, config());
    // Labels 1 to 101: a provider, and models 1 to 100.
    await sql.query(`insert into usage_label (kind, value) values (2, 'vendor')`);
    await sql.query(`insert into usage_label (kind, value) select 1, 'model-' || n from generate_series(1, 100) n`);
  });
  afterEach(async () => {
    await sql.close();
    await database.drop();
  });

  const record = (session: Pick<SqlSession, 'query'>, call: Call = {}): Promise<void> => {
    const { model = 1, cost = 7n, tokens = 10, durationMs = 100, status = 200 } = call;
    // The label of the vendor is 1, the label of model 1 is 2.
    const numbers = { provider: 1, model: model + 1 };
    return recordCalls(session, [{ ...numbers, cost, tokens_prompt: tokens, duration_ms: durationMs, status }]);
  };
  const read = async (): Promise<{ calls: bigint; cost: bigint }> => {
    const [row] = await sql.query<{ calls: bigint; cost: bigint }>(
      'select coalesce(sum(calls), 0)::bigint as calls, coalesce(sum(cost), 0)::bigint as cost from usage_total',
    );
    return row!;
  };
  /**
   * Retries, because other tests on the server hold transactions open for a moment. Calls of later transactions are
   * counted in a later round.
   */
  const counted = (calls: bigint): Promise<void> =>
    eventually(async () => {
      await totals.count();
      expect((await read()).calls).toBe(calls);
    });

  it('count a call once, for any number of updates by any number of replicas', async () => {
    for (let turn = 0; turn < 5; turn++) await record(sql);
    const replicas = Array.from({ length: 4 }, () => new UsageTotals(sql, config()));
    await Promise.all(replicas.map((replica) => replica.count()));
    await counted(5n);
    await Promise.all(replicas.map((replica) => replica.count()));
    expect(await read()).toEqual({ calls: 5n, cost: 35n });
  });

  it('count a call if its transaction began before a counted one and committed after it', async () => {
    await sql.transaction(async (early) => {
      await record(early);
      await record(sql);
      await counted(1n);
      await totals.count();
      expect((await read()).calls).toBe(1n);
    });
    await counted(2n);
  });

  it('lose and repeat no call while calls commit in any order', async () => {
    let open = true;
    const counting = (async () => {
      while (open) await Promise.all([totals.count(), new UsageTotals(sql, config()).count()]);
    })();
    await Promise.all(
      Array.from({ length: 5 }, async (_, writer) => {
        for (let turn = 0; turn < 20; turn++)
          await sql.transaction(async (session) => {
            await record(session, { model: 1 + (writer % 3), cost: BigInt(turn) });
            if ((turn + writer) % 3 === 0) await record(session, { cost: 1_000n });
          });
      }),
    );
    open = false;
    await counting;
    const [ledger] = await sql.query<{ calls: bigint; cost: bigint }>(
      'select count(*) as calls, sum(cost)::bigint as cost from generation',
    );
    await counted(ledger!.calls);
    expect(await read()).toEqual(ledger);
  });

  it('change atomically with their position', async () => {
    await record(sql);
    await sql.query(`create function refuse() returns trigger language plpgsql as $$ begin raise 'refused'; end $$`);
    await sql.query(
      'create trigger refuse before update on usage_total_position for each row execute function refuse()',
    );
    await expect(totals.count()).rejects.toThrow('refused');
    expect((await read()).calls).toBe(0n);
    await sql.query('drop trigger refuse on usage_total_position');
    await counted(1n);
  });

  it('include a call before its outbox entry is removed', async () => {
    const sweeper = new OutboxSweeper(sql, config());
    await record(sql);
    await eventually(async () => {
      await sweeper.trim(0);
      expect(await sql.query('select from outbox')).toHaveLength(0);
    });
    expect((await read()).calls).toBe(1n);
  });

  it('contain the number of calls at or below each bound of a histogram', async () => {
    for (const [tokens, durationMs] of [
      [0, 10],
      [1, 11],
      [4, 20],
      [5, 100_000],
    ] as const)
      await record(sql, { tokens, durationMs });
    await record(sql, { tokens: 0, durationMs: 10, status: 499 });
    await counted(5n);
    const [row] = await sql.query<Record<string, string>>(
      `select array_to_string(durations[1:3], ',') as durations, array_to_string(inputs[1:3], ',') as inputs,
         input_calls::text, input_tokens::text, array_to_string(outcomes, ',') as outcomes from usage_total`,
    );
    expect(row).toEqual({
      durations: '2,4,4',
      inputs: '1,2,3',
      input_calls: '3',
      input_tokens: '10',
      outcomes: '4,0,1,0',
    });
  });

  it('add models beyond the limit of series to "other", and keep the models that already have series', async () => {
    totals = new UsageTotals(sql, config('1000'));
    for (let model = 1; model <= 20; model++) await record(sql, { model });
    await counted(20n);
    const models = async () =>
      (await sql.query<{ model: string }>('select model from usage_total order by model')).map(({ model }) => model);
    const first = await models();
    // 1,000 series without the 300 reserved ones hold 12 models. 6 of these are the "other" models of the modalities.
    expect(first).toHaveLength(7);
    expect(first.filter((model) => model === 'other')).toHaveLength(1);
    for (let model = 1; model <= 40; model++) await record(sql, { model, cost: 1n });
    await counted(60n);
    expect(await models()).toEqual(first);
    expect((await read()).cost).toBe(20n * 7n + 40n);
  });
});
