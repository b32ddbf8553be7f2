// npm run bench:analytics -- --keep <folder> --only seed, then npm run bench:analytics-clickhouse -- --keep <folder>.
// Feeds the seeded calls to ClickHouse's engine (chDB, served over HTTP), and runs the six typical queries on it and on
// DuckDB's copy. Compares the results before it measures times.
import { join } from 'node:path';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.js';
import { Sql } from '../../src/database/sql.js';
import { ClickHouseFeed } from '../../src/usage/drivers/clickhouse/clickhouse-feed.js';
import { firstRow } from '../../src/usage/drivers/clickhouse/clickhouse-connection.js';
import { ClickHouseUsageReader } from '../../src/usage/drivers/clickhouse/clickhouse-usage-reader.driver.js';
import { readFeedProgress } from '../../src/usage/drivers/clickhouse/feed-lease.js';
import {
  clickHouseAddress,
  HttpClickHouseConnection,
} from '../../src/usage/drivers/clickhouse/http-clickhouse-connection.js';
import { FollowerProcess } from '../../src/usage/drivers/duckdb/follower-process.js';
import { PostgresUsageReader } from '../../src/usage/drivers/postgres/postgres-usage-reader.driver.js';
import { planOf } from '../../src/usage/query/plan-request.js';
import { startTestClickHouse } from '../../test/support/engines/chdb.js';
import { readOptions } from '../read-options.js';
import { benchQueries } from './analytics-queries.js';

const { keep: folder, runs } = readOptions('Runs six queries on ClickHouse and on DuckDB.', {
  keep: { default: '', what: 'folder with seeded calls' },
  runs: { default: '7', what: 'number of runs of each query' },
});
const HOUR_MS = 3_600_000;
const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => undefined, settings: { fsync: 'off' } });
const sql = new Sql(postgres.url, 4);
const server = await startTestClickHouse();
const connect = (): HttpClickHouseConnection => new HttpClickHouseConnection(clickHouseAddress(server.url));
const connection = connect();
const stopping = new AbortController();
const signal = AbortSignal.timeout(7_200_000);
const store = { folder: join(folder, 'analytics'), threads: 2, memoryMb: 1024 };
const follower = new FollowerProcess({ databaseUrl: postgres.url, ...store, retentionDays: null }, console.error);

const began = performance.now();
const feeding = new ClickHouseFeed(
  connect(),
  { databaseUrl: postgres.url, database: 'default', cluster: undefined, retentionDays: null },
  console.error,
).run(stopping.signal);
while ((await readFeedProgress(sql)).phase !== 'following') await sleep(50);
const seconds = (performance.now() - began) / 1000;
const size = await firstRow(
  connection,
  {
    text: `select sum(rows) as calls, sum(bytes_on_disk) as bytes from system.parts
      where active and table = 'generation'`,
    values: [],
  },
  { signal, settings: { output_format_json_quote_64bit_integers: 0 } },
);
const [calls, bytes] = [Number(size!['calls']), Number(size!['bytes'])];
console.log(`${calls} calls at ${Math.round(calls / seconds)} a second, ${(bytes / calls).toFixed(1)} bytes a call`);
follower.start();
while (follower.phase !== 'following') await sleep(50);

const [first] = await sql.query<{ account_no: number; newest: Date }>(
  `select account_no, max(created_at) over () as newest from generation limit 1`,
);
const now = new Date(Math.floor(first!.newest.getTime() / HOUR_MS) * HOUR_MS + 17 * 60_000);
const limits = { timeoutMs: 600_000, memoryMb: 1024 };
const reader = new ClickHouseUsageReader(connection, sql, new PostgresUsageReader(sql), limits);
const table: Record<string, object> = {};
for (const { name, request } of benchQueries(now)) {
  const plan = planOf(request, first!.account_no, now);
  const [ours, theirs] = [await reader.read(plan, signal), await follower.read(plan, signal)];
  table[name] = {
    rows: ours.rowCount,
    same: Buffer.from(ours.rows).equals(Buffer.from(theirs.rows)),
    'ClickHouse ms': await median(() => reader.read(plan, signal)),
    'DuckDB ms': await median(() => follower.read(plan, signal)),
  };
}
console.table(table);
stopping.abort();
await feeding;
await follower.stop();
await connection.close();
await server.stop();
await sql.close();
await postgres.stop();

async function median(work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let run = 0; run < Number(runs); run++) {
    const start = performance.now();
    await work();
    taken.push(performance.now() - start);
  }
  return Number(taken.toSorted((a, b) => a - b)[Math.floor(taken.length / 2)]!.toFixed(1));
}
