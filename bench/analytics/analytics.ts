// npm run bench:analytics -- --rows 1000000
// Writes synthetic calls to its own PostgreSQL, waits until the columnar store has copied them, and sends the same
// queries to that store, to PostgreSQL's raw rows, and to ClickHouse's raw rows if `clickhouse-server` is installed.
// Compares the results before it measures times. To run one part at a time: --keep <folder> --only
// seed|copy|clickhouse|typical|random, in this order.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import { LEDGER_SQL } from '../../src/billing/ledger-sql.js';
import { Config } from '../../src/config/config.js';
import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.js';
import { migrate } from '../../src/database/migrate.js';
import { Sql } from '../../src/database/sql.js';
import { SystemClock } from '../../src/kernel/clock.js';
import type { AnalyticsPlan, AnalyticsResult } from '../../src/usage/analytics-query.js';
import { METRICS, type Metric } from '../../src/usage/analytics-vocabulary.js';
import { FollowerProcess } from '../../src/usage/drivers/duckdb/follower-process.js';
import { PostgresUsageReader } from '../../src/usage/drivers/postgres/postgres-usage-reader.driver.js';
import { Partitions } from '../../src/usage/partitions.js';
import { planOf } from '../../src/usage/query/plan-request.js';
import { SyntheticUsage } from '../../src/usage/synthetic-usage.js';
import { UsageEpoch } from '../../src/usage/usage-epoch.js';
import { addAccounts } from '../../test/support/analytics/sample-accounts.js';
import { rowsOf } from '../../test/support/analytics/rows-of.js';
import { benchQueries, randomQueries } from './analytics-queries.js';
import { COPY_RAW, CREATE_RAW, RAW_COLUMNS, startClickHouse, type ClickHouse } from './clickhouse.js';
import { readOptions } from '../read-options.js';

const options = readOptions(
  'Runs the same queries over synthetic calls on the columnar store, on PostgreSQL and, if ClickHouse is installed, ' +
    'on ClickHouse.',
  {
    rows: { default: '1000000', what: 'synthetic calls' },
    days: { default: '30', what: 'number of days over which the calls are spread' },
    runs: { default: '7', what: 'number of runs of each query' },
    keep: { default: '', what: 'folder that is kept, so that stages can run one after the other' },
    only: { default: '', what: 'one stage: seed, copy, clickhouse, typical or random' },
  },
);
const rows = Number(options.rows);
const runs = Number(options.runs);
const does = (stage: string): boolean => options.only === '' || options.only === stage;
const THREADS = 2;
const HOUR_MS = 3_600_000;
const NANO_PER_USD = 1e9;

const folder = options.keep || (await mkdtemp(join(tmpdir(), 'gatehouse-bench-')));
const postgres = await startEmbeddedPostgres({
  dataDir: folder,
  log: () => undefined,
  settings: { fsync: 'off', full_page_writes: 'off', max_wal_size: '8GB' },
});
await migrate(postgres.url, LEDGER_SQL);
const sql = new Sql(postgres.url, 4);
const follower = new FollowerProcess(
  {
    databaseUrl: postgres.url,
    folder: join(folder, 'analytics'),
    threads: THREADS,
    memoryMb: 1024,
    retentionDays: null,
  },
  (message) => console.error(message),
);
const clickhouse =
  does('clickhouse') || does('typical') ? await startClickHouse(join(folder, 'clickhouse'), THREADS) : undefined;
try {
  const accountNo = await seed();
  const [{ newest }] = (await sql.query<{ newest: Date }>('select max(created_at) as newest from generation')) as [
    { newest: Date },
  ];
  // The time ranges must not end at a whole hour, because rollups by hour would then cover them completely.
  const now = new Date(Math.floor(newest.getTime() / HOUR_MS) * HOUR_MS + 17 * 60_000);
  if (options.only !== 'seed' && options.only !== 'clickhouse') await copy();
  if (does('clickhouse') && clickhouse) await load(clickhouse);
  if (does('typical')) await typical(accountNo, now);
  if (does('random')) await random(accountNo, now);
} finally {
  await follower.stop();
  await sql.close();
  await clickhouse?.stop();
  await postgres.stop();
  if (!options.keep) await rm(folder, { recursive: true, force: true });
}

async function seed(): Promise<number> {
  const [known] = await sql.query<{ account_no: number }>('select account_no from generation limit 1');
  if (known) return known.account_no;
  const [account] = await addAccounts(sql);
  const { keyNos } = (
    await sql.query<{ keyNos: number[] }>(
      `with made as (insert into api_key (hash, account_id, workspace_id, key_class, name, label, disabled,
           include_byok_in_limit, created_at)
         select md5(i::text) || md5('k' || i), $1, $2, 'standard', 'bench', 'bench', true, false, now()
         from generate_series(1, 480) i returning no)
     select array_agg(no) as "keyNos" from made`,
      [account!.id, account!.workspaces[0]!.id],
    )
  )[0]!;
  const partitions = new Partitions(sql, new SystemClock(), Config.read({}));
  const synthetic = new SyntheticUsage(sql, partitions, new SystemClock(), new UsageEpoch(sql));
  const started = performance.now();
  const models = Array.from({ length: 60 }, (_, index) => `bench/model-${index}${index % 9 ? '' : ':free'}`);
  await synthetic.seed(
    {
      accountNo: account!.no,
      workspaceNos: account!.workspaces.map(({ no }) => no),
      keyNos,
      models,
      rows,
      days: Number(options.days),
    },
    () => undefined,
  );
  console.log(`seeded ${rows} rows in ${((performance.now() - started) / 1000).toFixed(0)} s`);
  await sql.query('vacuum analyze generation');
  const [size] = await sql.query<{ bytes: number }>(
    `select sum(pg_total_relation_size(inhrelid))::float8 / ${rows} as bytes
     from pg_inherits
     where inhparent = 'generation'::regclass`,
  );
  console.log(`PostgreSQL: ${size!.bytes.toFixed(0)} bytes a row, indexes included`);
  return account!.no;
}

async function copy(): Promise<void> {
  const began = performance.now();
  follower.start();
  let copied = false;
  while (follower.phase !== 'following') {
    copied ||= follower.phase === 'filling';
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  if (copied)
    console.log(
      `The follower copied ${Math.round(rows / ((performance.now() - began) / 1000))} rows a second, including ` +
        `the start of its process`,
    );
}

async function load(server: ClickHouse): Promise<void> {
  await server.run('drop table if exists generation');
  await server.run(CREATE_RAW);
  const client = new Client({ connectionString: postgres.url });
  await client.connect();
  const csv = client.query(copyTo(COPY_RAW));
  await server.run(`insert into generation (${RAW_COLUMNS.join(', ')}) format CSV`, csv);
  await client.end();
  // Merge to one part per week, as ClickHouse does in the background.
  await server.run('optimize table generation final').catch(() => undefined);
  const [[count]] = (await server.rows('select count() from generation')) as [[string]];
  console.log(`ClickHouse ${server.version} holds ${count} rows`);
}

async function typical(accountNo: number, now: Date): Promise<void> {
  const records = new PostgresUsageReader(sql);
  const signal = AbortSignal.timeout(900_000);
  const table: Record<string, object> = {};
  for (const { name, request, clickhouse: text } of benchQueries(now)) {
    const plan = planOf(request, accountNo, now);
    const seconds = (ms: number): number => Math.floor(ms / 1000);
    const question = text.replace(
      '{window}',
      `account_no = ${accountNo} and at >= toDateTime(${seconds(plan.from)}) and at < toDateTime(${seconds(plan.to)})`,
    );
    const answer = await follower.read(plan, signal);
    const raw = await records.read(plan, signal);
    const sameAsPostgres = Buffer.from(answer.rows).equals(raw.rows);
    const sameAsClickHouse = clickhouse && alike(plan, answer, await clickhouse.rows(question));
    table[name] = {
      rows: answer.rowCount,
      'same in PostgreSQL': sameAsPostgres,
      'same in ClickHouse': sameAsClickHouse,
      'DuckDB ms': await median(() => follower.read(plan, signal)),
      'ClickHouse ms': clickhouse && (await median(() => clickhouse.run(`${question} format JSONCompact`))),
      'PostgreSQL ms': await median(() => records.read(plan, signal), 3),
    };
  }
  console.table(table);
}

async function random(accountNo: number, now: Date): Promise<void> {
  const records = new PostgresUsageReader(sql);
  const signal = AbortSignal.timeout(900_000);
  const times: number[] = [];
  let same = 0;
  for (const { name, request } of randomQueries(now, 20)) {
    const plan = planOf(request, accountNo, now);
    same +=
      JSON.stringify(rounded(await follower.read(plan, signal))) ===
      JSON.stringify(rounded(await records.read(plan, signal)))
        ? 1
        : 0;
    const ms = await median(() => follower.read(plan, signal));
    times.push(ms);
    console.log(`${name}: ${ms} ms: ${JSON.stringify({ ...request, time_range: undefined })}`);
  }
  times.sort((a, b) => a - b);
  console.log(
    `20 random queries of two dimensions with filters (${same} with the same result as PostgreSQL), ms: median ` +
      `${times[10]}, 95th percentile ${times[18]}, slowest ${times[19]}`,
  );
}

/** The values with numbers rounded to 9 digits, because a sum of doubles depends on the order of the additions. */
function rounded(result: AnalyticsResult): unknown[] {
  return rowsOf(result).map((row) =>
    Object.values(row).map((value) => (typeof value === 'number' ? Number(value.toPrecision(9)) : value)),
  );
}

/**
 * Whether the rows have the same figures, without regard to the names of the groups. If the limit cut off a result by
 * time, its last bucket is incomplete and is not compared.
 */
function alike(plan: AnalyticsPlan, ours: AnalyticsResult, theirs: readonly string[][]): boolean {
  const keys = plan.dimensions.length + (plan.granularity ? 1 : 0);
  const cut = plan.granularity !== null && ours.truncated;
  const rows = rowsOf(ours);
  const date = `date__${plan.granularity}`;
  const figure = (metric: Metric, value: number): string =>
    String(METRICS[metric].format === 'currency' ? Math.round(value * NANO_PER_USD) : value);
  const own = rows
    .filter((row) => !cut || row[date] !== rows.at(-1)![date])
    .map((row) => plan.metrics.map((metric) => figure(metric, row[metric] as number)).join(' '));
  const other = theirs
    .filter(([bucket]) => !cut || bucket !== theirs.at(-1)![0])
    .map((row) => row.slice(keys).join(' '));
  return JSON.stringify(own.toSorted()) === JSON.stringify(other.toSorted());
}

async function median(work: () => Promise<unknown>, times = runs): Promise<number> {
  const taken: number[] = [];
  for (let run = 0; run < times; run++) {
    const start = performance.now();
    await work();
    taken.push(performance.now() - start);
  }
  return Number(taken.toSorted((a, b) => a - b)[Math.floor(times / 2)]!.toFixed(1));
}
