import { Config } from '../config/config.js';
import { Sql } from '../database/sql.js';
import { createTestDatabase, type TestDatabase } from '../../test/support/test-database.js';
import { SetClock } from '../../test/support/test-service.js';
import { Partitions } from './partitions.js';

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
    (await sql.query<{ name: string }>(`select inhrelid::regclass::text as name from pg_inherits where inhparent = 'generation'::regclass order by 1`)).map(({ name }) => name.slice('generation_'.length));
  const at = (time: string, env: Record<string, string> = {}) => new Partitions(sql, new SetClock(new Date(time)), Config.read(env));

  it('makes a partition for today and each of the seven days ahead', async () => {
    await at('2026-12-29T23:59:59Z').makeAhead();
    expect(await days()).toEqual(['20261229', '20261230', '20261231', '20270101', '20270102', '20270103', '20270104', '20270105', 'default']);
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
});
