import { Config } from '../../config/config.js';
import { newId } from '../../kernel/ids.js';
import { Sql } from '../../database/sql.js';
import { outboxSettled } from '../../../test/support/calls/recorded-calls.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database/test-database.js';
import { OutboxSweeper } from './outbox-sweeper.js';

describe('OutboxSweeper', () => {
  let database: TestDatabase;
  let sql: Sql;
  beforeEach(async () => {
    database = await createTestDatabase();
    sql = new Sql(database.url, 4);
  });
  afterEach(async () => {
    await sql.close();
    await database.drop();
  });

  const append = (session: Pick<Sql, 'query'>) =>
    session.query('insert into outbox (generation_ids, times) values (array[$1::uuid], array[now()])', [newId()]);
  const left = async () => (await sql.query('select from outbox')).length;

  it('keeps an entry until a mark that was set after it is old enough, and then removes it', async () => {
    const sweeper = new OutboxSweeper(sql, Config.read({}));
    await append(sql);
    await outboxSettled(sql);
    // The first trimming sets a mark after the entry; the second one removes the entries before that mark.
    await sweeper.trim(0);
    expect(await left()).toBe(1);
    await append(sql);
    expect(await sweeper.trim(60)).toBe(0);
    expect(await sweeper.trim(0)).toBe(1);
    expect(await left()).toBe(1);
    const [feed] = await sql.query<{ covers: boolean }>(
      'select bool_and(o.xid >= f.trimmed_to) as covers from outbox o cross join usage_feed f',
    );
    expect(feed!.covers).toBe(true);
  });

  it('never removes an entry of a transaction that was running when the mark was set', async () => {
    const sweeper = new OutboxSweeper(sql, Config.read({}));
    await sql.transaction(async (session) => {
      await append(session);
      await sweeper.trim(0);
    });
    await sweeper.trim(0);
    expect(await left()).toBe(1);
  });

  it('waits for the export of records, unless the export has stopped for three days', async () => {
    const sweeper = new OutboxSweeper(sql, Config.read({}));
    await sql.query('delete from outbox');
    await sql.query('update export_position set seen = pg_current_snapshot(), read_at = now()');
    await append(sql);
    await outboxSettled(sql);
    for (let round = 0; round < 3; round++) await sweeper.trim(0);
    expect(await left()).toBe(1);
    await sql.query(`update export_position set read_at = now() - interval '73 hours'`);
    for (let round = 0; round < 2; round++) await sweeper.trim(0);
    expect(await left()).toBe(0);
  });

  it('waits for the feed of ClickHouse, unless the feed has stopped for three days', async () => {
    const sweeper = new OutboxSweeper(sql, Config.read({}));
    await sql.query('delete from outbox');
    await sql.query('update clickhouse_feed set seen = pg_current_snapshot(), read_at = now()');
    await append(sql);
    await outboxSettled(sql);
    for (let round = 0; round < 3; round++) await sweeper.trim(0);
    expect(await left()).toBe(1);
    await sql.query(`update clickhouse_feed set read_at = now() - interval '73 hours'`);
    for (let round = 0; round < 2; round++) await sweeper.trim(0);
    expect(await left()).toBe(0);
  });
});
