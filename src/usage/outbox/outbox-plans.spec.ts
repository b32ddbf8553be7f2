import { outboxSettled, recordCalls } from '../../../test/support/calls/recorded-calls.js';
import { createTestDatabase, type TestDatabase } from '../../../test/support/database/test-database.js';
import { Config } from '../../config/config.js';
import { Sql } from '../../database/sql.js';
import { newId } from '../../kernel/ids.js';
import { CSV_LINES } from '../drivers/duckdb/fed-lines.js';
import type { Position } from '../feed/position.js';
import { UsageFeed } from '../feed/usage-feed.js';
import { EXPORTED_EVENT, GenerationExport } from '../export/generation-export.js';
import { OutboxSweeper } from './outbox-sweeper.js';
import { usageFamilies } from '../totals/usage-families.js';
import { UsageTotals } from '../totals/usage-totals.js';

const OLD_CALLS = 5_000;
const NEW_CALLS = 20;

interface Reads {
  /** Sequential scans of the records and the outbox. */
  readonly scans: number;
  /** Entries that were read from the outbox's indexes. */
  readonly entries: number;
}

/**
 * A fresh installation has no statistics, and the planner assumes that a few percent of the outbox are new. A plan that
 * reads whole tables would then run every second, and take longer with each recorded call.
 */
describe('the query plans of the readers of the outbox', () => {
  let database: TestDatabase;
  let sql: Sql;
  beforeAll(async () => {
    database = await createTestDatabase();
    sql = new Sql(database.url, 1);
    await sql.query(
      `insert into webhook (id, account_id, account_no, url, format, events, data_key_id, sealed, created_at)
       values ($1, $1, 1, 'https://a.example', 'standard', $2, $1, '', now())`,
      [newId(), [EXPORTED_EVENT]],
    );
    await sql.query(`insert into usage_label (kind, value) values (1, 'model'), (2, 'vendor')`);
  });
  afterAll(async () => {
    await sql.close();
    await database.drop();
  });

  const record = (calls: number): Promise<void> => {
    const now = Date.now();
    return recordCalls(
      sql,
      Array.from({ length: calls }, (_, at) => ({ created_at: new Date(now + at), model: 1, provider: 2 })),
    );
  };
  const readsOf = async (): Promise<Reads> => {
    await sql.query('select pg_stat_force_next_flush()');
    const [row] = await sql.query<{ scans: bigint; entries: bigint }>(
      `select (select sum(seq_scan)::bigint from pg_stat_user_tables
           where relname = 'outbox' or relname like 'generation%' and relname <> 'generation_content') as scans,
         (select sum(idx_tup_read)::bigint from pg_stat_user_indexes where relname = 'outbox') as entries`,
    );
    return { scans: Number(row!.scans), entries: Number(row!.entries) };
  };

  it('read only new entries and their records, for any number of earlier calls', async () => {
    const totals = new UsageTotals(sql, Config.read({}));
    const exporting = new GenerationExport(sql, { bySlug: () => ({}) });
    const feed = new UsageFeed(sql, CSV_LINES);
    let position: Position = (await feed.resume(undefined)).position;
    const follow = async (): Promise<number> => {
      for (let rows = 0; ;) {
        const page = await feed.next(position);
        rows += page.rows;
        position = page.next;
        if (page.isLast) return rows;
      }
    };
    await exporting.step();
    await record(OLD_CALLS);
    await outboxSettled(sql);
    while (await exporting.step());
    await follow();
    await totals.count();
    await record(NEW_CALLS);

    const before = await readsOf();
    expect(await follow()).toBe(NEW_CALLS);
    expect(await exporting.step()).toBe(false);
    const families = await usageFamilies(sql);
    expect(await totals.count()).toBe(NEW_CALLS);
    await new OutboxSweeper(sql, Config.read({})).trim();
    const after = await readsOf();

    expect(families.find(({ name }) => name === 'gatehouse_requests_total')).toBeDefined();
    const [events] = await sql.query<{ exported: bigint }>(
      `select coalesce(sum(jsonb_array_length(data -> 'generations')), 0)::bigint as exported from event`,
    );
    expect(Number(events!.exported)).toBe(OLD_CALLS + NEW_CALLS);
    expect(after.scans - before.scans).toBe(0);
    expect(after.entries - before.entries).toBeLessThan(10 * NEW_CALLS);
  });
});
