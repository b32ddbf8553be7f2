// npm run build && npm run bench:console -- --rows 10000000 --keep <folder>
// Measures the requests of the console's overview and list of calls, over synthetic calls, with the columnar copy.
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { callRequests, overviewRequests, type ConsoleRequest } from './console-requests.js';
import { quantile } from './load.js';
import { cpuOfTree, start, type Server } from './processes.js';
import { readOptions } from './read-options.js';
import { API_KEY, MANAGEMENT_KEY } from './scenarios.js';

const options = readOptions(
  "Measures the requests of the console's overview and of its list of calls, each alone, and the requests of the " +
    'overview together. Build first: npm run build.',
  {
    rows: { default: '1000000', what: 'synthetic calls' },
    days: { default: '30', what: 'number of days over which the calls are spread' },
    runs: { default: '15', what: 'number of times that each request is sent' },
    keep: { default: '', what: 'folder that is kept, so that later runs find the calls and the columnar copy of them' },
  },
);
const runs = Number(options.runs);
const ANY_CORE = '0-1';
const COPY_POLL_MS = 250;
const US_PER_MS = 1_000;
const folder = options.keep || (await mkdtemp(join(tmpdir(), 'gatehouse-bench-')));
const isSeeded = existsSync(join(folder, 'postgres'));
const started: Server[] = [];

async function run(args: readonly string[], env: Readonly<Record<string, string>>, ready?: RegExp): Promise<Server> {
  const server = await start(args, env, ANY_CORE, ready);
  started.unshift(server);
  return server;
}

/** CPU microseconds of the service and its child processes, which include the columnar copy. */
const cpuOfService = ({ pid }: Server): number => cpuOfTree(pid);

async function send(service: Server, { path, json }: ConsoleRequest): Promise<unknown> {
  const response = await fetch(`${service.url}/api/v1${path}`, {
    method: json ? 'POST' : 'GET',
    headers: {
      authorization: `Bearer ${MANAGEMENT_KEY}`,
      ...(json ? { 'content-type': 'application/json' } : {}),
    },
    body: json && JSON.stringify(json),
  });
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${path}: ${response.status} ${text}`);
  return JSON.parse(text);
}

interface Figures {
  readonly min: number;
  readonly p50: number;
  readonly p95: number;
  readonly cpu: number;
}

async function measure(service: Server, work: () => Promise<unknown>): Promise<Figures> {
  // Warm up: the first requests compile their code.
  for (let time = 0; time < 3; time++) await work();
  const took = new Float64Array(runs);
  const before = cpuOfService(service);
  for (let time = 0; time < runs; time++) {
    const at = performance.now();
    await work();
    took[time] = performance.now() - at;
  }
  const cpu = (cpuOfService(service) - before) / runs / US_PER_MS;
  took.sort();
  const rounded = (ms: number): number => Number(ms.toFixed(1));
  return {
    min: rounded(took[0]!),
    p50: rounded(quantile(took, 0.5)),
    p95: rounded(quantile(took, 0.95)),
    cpu: rounded(cpu),
  };
}

/** Adds sessions, because synthetic calls have none: about one call in 128 gets one of 2,000 sessions. */
async function addSessions(databaseUrl: string): Promise<void> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  await client.query(
    `insert into generation_detail (account_no, id, created_at, cancelled, usage_estimated, session_id)
     select account_no, id, created_at, false, false, 'session-' || row_number() over (order by created_at) % 2000
     from generation where right(id::text, 2) in ('00', '55')
       and not exists (select 1 from generation_detail)`,
  );
  await client.query('analyze generation_detail');
  await client.end();
}

try {
  const database = await run(['bench/servers/database.ts'], { DATA_DIR: folder });
  const env = {
    PORT: '0',
    LOG_LEVEL: 'warn',
    LOG_FORMAT: 'text',
    DATA_DIR: folder,
    DATABASE_URL: database.url,
    MASTER_KEY: 'b1'.repeat(32),
    BOOTSTRAP_API_KEY: API_KEY,
    BOOTSTRAP_MANAGEMENT_KEY: MANAGEMENT_KEY,
    RATE_LIMIT_ANALYTICS: 'off',
    RATE_LIMIT_MANAGEMENT: 'off',
    RATE_LIMIT_OTHER: 'off',
    ANALYTICS_TIMEOUT_MS: '60000',
  };
  const service = await run(
    ['--disable-sigusr1', '--max-semi-space-size=32', 'dist/main.js'],
    env,
    /API {7}(http:\/\/\S+)\/api\/v1/,
  );
  if (!isSeeded)
    execFileSync(
      process.execPath,
      ['dist/operator/main.js', 'usage', 'seed', '--rows', options.rows, '--days', options.days],
      { env: { ...process.env, ...env }, stdio: 'inherit' },
    );
  await addSessions(database.url);
  const client = new Client({ connectionString: database.url });
  await client.connect();
  const newest = (await client.query<{ at: Date }>('select max(created_at) as at from generation')).rows[0]!.at;
  const { rows: found } = await client.query<{ key: string; model: string }>(
    `select k.hash as key, m.value as model
     from generation g join api_key k on k.no = g.key_no join usage_label m on m.id = g.model
     where g.created_at > $1 limit 1`,
    [new Date(newest.getTime() - 60_000)],
  );
  await client.end();
  const overview = (days: number): ConsoleRequest[] => overviewRequests(newest, days);
  for (;;) {
    const answer = (await send(service, overview(1)[0]!)) as { data: { warnings?: unknown } };
    if (answer.data.warnings === undefined) break;
    await new Promise((resolve) => setTimeout(resolve, COPY_POLL_MS));
  }

  console.log(`${options.rows} calls, ${runs} times each, load average ${loadavg()[0]!.toFixed(1)}; milliseconds`);
  const table: Record<string, Figures> = {};
  for (const days of [1, 7, 30]) {
    const requests = overview(days);
    for (const request of requests)
      table[`overview, ${days} days: ${request.name}`] = await measure(service, () => send(service, request));
    table[`overview, ${days} days: together`] = await measure(service, () =>
      Promise.all(requests.map((request) => send(service, request))),
    );
  }
  for (const request of callRequests(newest, found[0]!))
    table[`calls: ${request.name}`] = await measure(service, () => send(service, request));
  console.table(table);
  console.log(`load average ${loadavg()[0]!.toFixed(1)}`);
} finally {
  for (const server of started) await server.stop();
  if (!options.keep) await rm(folder, { recursive: true, force: true });
}
