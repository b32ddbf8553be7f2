import { Config } from '../config/config.js';
import { Sql } from '../database/sql.js';
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

  it('makes a partition for today and each of the seven days ahead', async () => {
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

  it('drops days that USAGE_RETENTION_DAYS no longer covers, and keeps the one it just does', async () => {
    await at('2026-12-29T12:00:00Z').makeAhead();
    await at('2027-01-03T12:00:00Z', { USAGE_RETENTION_DAYS: '3' }).dropOld();
    expect(await days()).toEqual(['20261231', '20270101', '20270102', '20270103', '20270104', '20270105', 'default']);
  });

  it('drops nothing where no retention is set', async () => {
    await at('2026-12-29T12:00:00Z').makeAhead();
    await at('2036-12-29T12:00:00Z').dropOld();
    expect((await days()).length).toBe(9);
  });

  it('puts a change off while somebody reads the records for long, so that no settlement waits behind it', async () => {
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

  it('takes at most 170 bytes a row, indexes included', async () => {
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
    expect(size!.bytes).toBeLessThanOrEqual(170);
  });
});
