import { Config } from '../config/config.js';
import { Sql } from '../database/sql.js';
import { recordCalls } from '../../test/support/calls/recorded-calls.js';
import { createTestDatabase, type TestDatabase } from '../../test/support/database/test-database.js';
import { SetClock } from '../../test/support/services/test-service.js';
import { Partitions } from './partitions.js';
import { SyntheticUsage } from './synthetic-usage.js';
import { UsageEpoch } from './usage-epoch.js';

describe('Partitions', () => {
  let database: TestDatabase;
  let sql: Sql;
  beforeEach(async () => {
    database = await createTestDatabase();
    sql = new Sql(database.url, 2);
  });
  afterEach(async () => {
    await sql.close();
    await database.drop();
  });

  const days = async () =>
    (
      await sql.query<{ name: string }>(
        `select inhrelid::regclass::text as name from pg_inherits where inhparent = 'generation'::regclass order by 1`,
      )
    ).map(({ name }) => name.slice('generation_'.length));
  const at = (time: string, env: Record<string, string> = {}) =>
    new Partitions(sql, new SetClock(new Date(time)), Config.read(env));

  it('creates a partition for today and each of the seven days ahead', async () => {
    await at('2026-12-29T23:59:59Z').makeAhead();
    expect(await days()).toEqual([
      '20261229',
      '20261230',
      '20261231',
      '20270101',
      '20270102',
      '20270103',
      '20270104',
      '20270105',
      'default',
    ]);
  });

  it('drops days that are older than USAGE_RETENTION_DAYS, and keeps the last day within it', async () => {
    await at('2026-12-29T12:00:00Z').makeAhead();
    await at('2027-01-03T12:00:00Z', { USAGE_RETENTION_DAYS: '3' }).dropOld();
    expect(await days()).toEqual(['20261231', '20270101', '20270102', '20270103', '20270104', '20270105', 'default']);
  });

  it('drops nothing if no retention is set', async () => {
    await at('2026-12-29T12:00:00Z').makeAhead();
    await at('2036-12-29T12:00:00Z').dropOld();
    expect((await days()).length).toBe(9);
  });

  it('postpones a change during a long read of the records, so that no settlement waits for the change', async () => {
    await at('2026-12-29T12:00:00Z').makeAhead();
    const before = await days();
    await sql.transaction(async (session) => {
      await session.query('select from generation');
      const late = at('2027-01-08T12:00:00Z', { USAGE_RETENTION_DAYS: '3' });
      await late.dropOld();
      await late.make(new Date('2027-01-09T00:00:00Z'));
      expect(await days()).toEqual(before);
    });
    await at('2027-01-08T12:00:00Z', { USAGE_RETENTION_DAYS: '3' }).dropOld();
    expect((await days())[0]).toBe('20270105');
  });

  it('leaves the calls of removed days in the ledger, as one entry for each account and day', async () => {
    const call = (account_no: number, time: string, cost: bigint) => ({ account_no, created_at: new Date(time), cost });
    await at('2026-12-29T12:00:00Z').makeAhead();
    await recordCalls(sql, [
      // The first day has no partition of its own.
      call(1, '2026-12-27T23:00:00Z', 5n),
      call(1, '2026-12-29T00:00:00Z', 7n),
      call(1, '2026-12-29T23:59:59Z', 11n),
      call(1, '2026-12-29T12:00:00Z', 0n),
      call(2, '2026-12-29T12:00:00Z', 13n),
      call(1, '2027-01-05T00:00:00Z', 17n),
    ]);
    const lines = () =>
      sql.query(`select account_no, sum(amount)::bigint as sum from ledger_line group by 1 order by 1`);
    const before = await lines();
    await at('2027-01-08T12:00:00Z', { USAGE_RETENTION_DAYS: '3' }).dropOld();

    expect(await lines()).toEqual(before);
    expect(
      await sql.query(
        'select account_no, amount, reason, created_at from ledger_entry order by created_at, account_no',
      ),
    ).toEqual([
      { account_no: 1, amount: -5n, reason: '1 calls of 2026-12-27', created_at: new Date('2026-12-27') },
      { account_no: 1, amount: -18n, reason: '2 calls of 2026-12-29', created_at: new Date('2026-12-29') },
      { account_no: 2, amount: -13n, reason: '1 calls of 2026-12-29', created_at: new Date('2026-12-29') },
    ]);
    expect(await sql.query('select 1 from generation')).toHaveLength(1);
  });

  // A record is also the ledger entry of its call. It has two indexes: by account and time, and by time.
  it('needs at most 200 bytes for each row, including indexes', async () => {
    const ROWS = 30_000;
    const now = '2026-12-29T00:00:00Z';
    const synthetic = new SyntheticUsage(sql, at(now), new SetClock(new Date(now)), new UsageEpoch(sql));
    await synthetic.seed(
      { accountNo: 1, workspaceNos: [1], keyNos: [1, 2], models: ['acme/one', 'acme/two'], rows: ROWS, days: 1 },
      () => undefined,
    );
    const [size] = await sql.query<{ bytes: number }>(
      `select pg_total_relation_size('generation_20261228')::float8 / ${ROWS} as bytes`,
    );
    expect(size!.bytes).toBeGreaterThan(50);
    expect(size!.bytes).toBeLessThanOrEqual(200);
  });
});
