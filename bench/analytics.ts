// npm run bench:analytics -- --rows 1000000
// Seeds synthetic calls into a PostgreSQL of its own, lets the columnar store copy them, and times the same queries in both.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startEmbeddedPostgres } from '../src/database/embedded-postgres.js';
import { migrate } from '../src/database/migrate.js';
import { Sql } from '../src/database/sql.js';
import { Config } from '../src/config/config.js';
import { SystemClock } from '../src/kernel/clock.js';
import { FollowerProcess } from '../src/usage/drivers/duckdb/follower-process.js';
import { PostgresUsageReader } from '../src/usage/drivers/postgres/postgres-usage-reader.driver.js';
import { Partitions } from '../src/usage/partitions.js';
import { planOf } from '../src/usage/query/plan-request.js';
import { SyntheticUsage } from '../src/usage/synthetic-usage.js';
import { UsageEpoch } from '../src/usage/usage-epoch.js';
import type { AnalyticsPlan, AnalyticsResult } from '../src/usage/analytics-query.js';
import { addAccounts } from '../test/support/analytics/sample-accounts.js';
import { benchQueries, randomQueries } from './analytics-queries.js';

const { values: options } = parseArgs({ options: { rows: { type: 'string', default: '1000000' }, days: { type: 'string', default: '30' }, runs: { type: 'string', default: '7' }, keep: { type: 'string' }, 'skip-postgres': { type: 'boolean', default: false } } });
const rows = Number(options.rows);
const runs = Number(options.runs);

const folder = options.keep ?? (await mkdtemp(join(tmpdir(), 'gatehouse-bench-')));
const postgres = await startEmbeddedPostgres({ dataDir: folder, log: () => undefined });
await migrate(postgres.url);
const sql = new Sql(postgres.url, 4);
const follower = new FollowerProcess({ databaseUrl: postgres.url, folder: join(folder, 'analytics'), threads: 2, memoryMb: 2048, retentionDays: null }, (message) => console.error(message));
try {
  const now = new Date(Math.floor(Date.now() / 3_600_000) * 3_600_000 + 17 * 60_000);
  const accountNo = await seed();
  const copied = performance.now();
  follower.start();
  while (follower.phase !== 'following') await new Promise((resolve) => setTimeout(resolve, 100));
  const copySeconds = (performance.now() - copied) / 1000;
  console.log(`copied at ${Math.round(rows / copySeconds)} rows/s, start of the process included`);
  const [size] = await sql.query<{ bytes: number }>(`select sum(pg_total_relation_size(inhrelid))::float8 / ${rows} as bytes from pg_inherits where inhparent = 'generation'::regclass`);
  console.log(`PostgreSQL: ${size!.bytes.toFixed(0)} bytes a row, indexes included`);

  const records = new PostgresUsageReader(sql);
  const table: Record<string, object> = {};
  for (const { name, request } of benchQueries(now)) table[name] = await timed(planOf(request, accountNo, now), records);
  console.table(table);
  const random = randomQueries(now, 20).map(({ request }) => request);
  const times: number[] = [];
  for (const request of random) times.push((await measure(() => follower.read(planOf(request, accountNo, now), AbortSignal.timeout(120_000)))).ms);
  times.sort((a, b) => a - b);
  console.log(`20 random queries of two dimensions with filters, ms: median ${times[10]!.toFixed(1)}, 95th percentile ${times[18]!.toFixed(1)}, slowest ${times[19]!.toFixed(1)}`);
} finally {
  await follower.stop();
  await sql.close();
  await postgres.stop();
  if (!options.keep) await rm(folder, { recursive: true, force: true });
}

async function seed(): Promise<number> {
  const [known] = await sql.query<{ account_no: number }>('select account_no from generation limit 1');
  if (known) return known.account_no;
  const [account] = await addAccounts(sql);
  const { keyNos } = (await sql.query<{ keyNos: number[] }>(
    `with made as (insert into api_key (hash, account_id, workspace_id, key_class, name, label, disabled, include_byok_in_limit, created_at)
       select md5(i::text) || md5('k' || i), $1, $2, 'standard', 'bench', 'bench', true, false, now() from generate_series(1, 480) i returning no)
     select array_agg(no) as "keyNos" from made`,
    [account!.id, account!.workspaces[0]!.id],
  ))[0]!;
  const partitions = new Partitions(sql, new SystemClock(), Config.read({}));
  const synthetic = new SyntheticUsage(sql, partitions, new SystemClock(), new UsageEpoch(sql));
  const started = performance.now();
  const models = Array.from({ length: 60 }, (_, index) => `bench/model-${index}${index % 9 ? '' : ':free'}`);
  await synthetic.seed({ accountNo: account!.no, workspaceNos: account!.workspaces.map(({ no }) => no), keyNos, models, rows, days: Number(options.days) }, () => undefined);
  console.log(`seeded ${rows} rows in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  await sql.query('vacuum analyze generation');
  return account!.no;
}

async function timed(plan: AnalyticsPlan, records: PostgresUsageReader): Promise<object> {
  const signal = AbortSignal.timeout(600_000);
  const duck = await measure(() => follower.read(plan, signal));
  if (options['skip-postgres']) return { 'DuckDB ms': Number(duck.ms.toFixed(1)), rows: duck.result.rows.length };
  const reference = await measure(() => records.read(plan, signal), 3);
  const same = JSON.stringify(simple(duck.result)) === JSON.stringify(simple(reference.result));
  return { 'DuckDB ms': Number(duck.ms.toFixed(1)), 'PostgreSQL ms': Number(reference.ms.toFixed(1)), rows: duck.result.rows.length, same };
}

function simple(result: AnalyticsResult): unknown {
  return result.rows.map((row) => [row.bucket, row.dimensions, row.metrics.map(String)]);
}

async function measure(work: () => Promise<AnalyticsResult>, times = runs): Promise<{ ms: number; result: AnalyticsResult }> {
  let result = await work();
  const taken: number[] = [];
  for (let run = 0; run < times; run++) {
    const start = performance.now();
    result = await work();
    taken.push(performance.now() - start);
  }
  return { ms: taken.toSorted((a, b) => a - b)[Math.floor(times / 2)]!, result };
}

