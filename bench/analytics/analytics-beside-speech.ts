// npm run build && npm run bench:analytics-beside-speech -- --rows 1000000
// Measures speech at a steady rate in pairs of rounds: alone, and while analytics queries run without pause.
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { benchQueries, randomQueries } from './analytics-queries.js';
import { askAnalytics, askWithoutPause } from './analytics-callers.js';
import { openLoop, quantile, type LoadResult } from '../load.js';
import { median } from '../measure.js';
import { start, type Server } from '../processes.js';
import { readOptions } from '../read-options.js';
import { API_KEY, MANAGEMENT_KEY, SCENARIOS } from '../scenarios.js';

const values = readOptions(
  'Measures speech at a steady rate in pairs of rounds: alone, and while analytics queries run without pause. ' +
    'Build first: npm run build.',
  {
    rows: { default: '1000000', what: 'number of synthetic calls that the queries read' },
    rounds: { default: '10', what: 'pairs of rounds' },
    seconds: { default: '6', what: 'length of a round' },
    rate: { default: '100', what: 'speech requests a second' },
    callers: { default: '4', what: 'concurrent callers of analytics' },
  },
);
const seconds = Number(values.seconds);
const rate = Number(values.rate);
const ANY_CORE = '0-1';
const speech = SCENARIOS.find(({ name }) => name === 'speech-32k')!;

const started: Server[] = [];
async function run(args: readonly string[], env: Readonly<Record<string, string>>, ready?: RegExp): Promise<Server> {
  const server = await start(args, env, ANY_CORE, ready);
  started.unshift(server);
  return server;
}

const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
try {
  const vendor = await run(['bench/servers/mock-vendor.ts'], {});
  const database = await run(['bench/servers/database.ts'], { DATA_DIR: dataDir });
  const env = {
    PORT: '0',
    LOG_LEVEL: 'warn',
    LOG_FORMAT: 'text',
    DATA_DIR: dataDir,
    DATABASE_URL: database.url,
    MASTER_KEY: 'b1'.repeat(32),
    OPENAI_API_KEY: 'credential-of-the-bench',
    OPENAI_BASE_URL: `${vendor.url}/v1`,
    BOOTSTRAP_API_KEY: API_KEY,
    BOOTSTRAP_MANAGEMENT_KEY: MANAGEMENT_KEY,
    BOOTSTRAP_CREDITS_USD: '1000000000',
    RATE_LIMIT_ANALYTICS: 'off',
    ANALYTICS_TIMEOUT_MS: '60000',
  };
  const service = await run(
    ['--disable-sigusr1', '--max-semi-space-size=32', 'dist/main.js'],
    env,
    /API {7}(http:\/\/\S+)\/api\/v1/,
  );
  execFileSync(process.execPath, ['dist/operator/main.js', 'usage', 'seed', '--rows', values.rows], {
    env: { ...process.env, ...env },
    stdio: 'inherit',
  });
  const now = new Date();
  const requests = [...benchQueries(now), ...randomQueries(now, 20)].map(({ request }) => JSON.stringify(request));
  while (JSON.parse(await askAnalytics(service.url, requests[0]!)).data.warnings !== undefined)
    await new Promise((next) => setTimeout(next, 250));
  await openLoop(service.url, speech, rate, seconds);

  const alone: LoadResult[] = [];
  const beside: LoadResult[] = [];
  const ratios: number[] = [];
  let answered = 0;
  for (let round = 0; round < Number(values.rounds); round++) {
    const quiet = await openLoop(service.url, speech, rate, seconds);
    const asking = askWithoutPause(service.url, requests, Number(values.callers));
    const busy = await openLoop(service.url, speech, rate, seconds);
    answered += await asking.end();
    alone.push(quiet);
    beside.push(busy);
    ratios.push(quantile(busy.latencies, 0.99) / quantile(quiet.latencies, 0.99));
  }
  const pooled = (results: readonly LoadResult[], share: number): string =>
    quantile(Float64Array.from(results.flatMap(({ latencies }) => [...latencies])).sort(), share).toFixed(1);
  console.log(
    `speech at ${rate}/s in ${values.rounds} pairs of rounds of ${seconds} s; ${values.callers} callers of ` +
      `analytics over ${values.rows} rows, ${answered} completed queries`,
  );
  for (const share of [0.5, 0.9, 0.99])
    console.log(`p${share * 100}: ${pooled(alone, share)} ms alone, ${pooled(beside, share)} ms with analytics`);
  console.log(
    `p99 with analytics divided by p99 alone, per pair: median ${median(ratios).toFixed(2)} of ` +
      ratios.map((ratio) => ratio.toFixed(2)).join(' '),
  );
} finally {
  for (const server of started) await server.stop();
  await rm(dataDir, { recursive: true, force: true });
}
