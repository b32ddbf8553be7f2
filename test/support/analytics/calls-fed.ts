import { postJournals } from '../../../src/billing/ledger/commits/journal-posts.js';
import type { Sql } from '../../../src/database/sql.js';
import { firstRow, type ClickHouseConnection } from '../../../src/usage/drivers/clickhouse/clickhouse-connection.js';
import { readFeedProgress } from '../../../src/usage/drivers/clickhouse/feed-lease.js';
import { eventually } from '../eventually.js';

/** The number of rows in ClickHouse, and the number of distinct calls among them. */
async function callsInClickHouse(
  connection: ClickHouseConnection,
): Promise<{ readonly rows: number; readonly calls: number }> {
  const row = await firstRow(
    connection,
    { text: 'select count(*) as rows, uniqExact(uuid) as calls from generation', values: [] },
    { signal: AbortSignal.timeout(30_000), settings: { output_format_json_quote_64bit_integers: 0 } },
  );
  return row as { rows: number; calls: number };
}

/** Waits until ClickHouse has every recorded call exactly once. */
export async function expectCallsFed(sql: Sql, connection: ClickHouseConnection, withinMs = 120_000): Promise<void> {
  await postJournals(sql);
  const [recorded] = await sql.query<{ calls: number }>('select count(*)::int as calls from generation');
  const { calls } = recorded!;
  await eventually(async () => {
    expect((await readFeedProgress(sql)).phase).toBe('following');
    expect(await callsInClickHouse(connection)).toEqual({ rows: calls, calls });
  }, withinMs);
}
