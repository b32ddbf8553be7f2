// Compares several builds of the service with each other, with servers that do less, and with the bare proxy, in
// interleaved rounds.
// `npm run build && npm run bench:builds -- --builds before=<folder>`; `-- --help` lists the options.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pg from 'pg';
import { closedLoop, openLoop, type LoadResult } from '../load.js';
import { measured, median, type Run } from '../measure.js';
import {
  cpuOf,
  cpuOfPostgres,
  leaveServerCore,
  OTHER_CORES,
  postmasterPid,
  SERVER_CORE,
  type Server,
} from '../processes.js';
import { describeRatios } from '../ratio-interval.js';
import { readOptions } from '../read-options.js';
import { SCENARIOS, type Scenario } from '../scenarios.js';
import { run, startService, stopAll } from '../service-process.js';

const FLOORS = ['bytes', 'parsed', 'settled'];
const LOADER = ['--import', './dev/typescript-loader.ts'];
const itemsOf = (list: string): string[] => list.split(',').filter(Boolean);
const given = readOptions(
  'Compares the CPU per request and the latency of builds of the service. Build each of them first: npm run build.',
  {
    builds: { default: '', what: 'other builds as name=folder,…: a folder has its dist/ and node_modules/' },
    floors: { default: '', what: `servers on Nest that do less: ${FLOORS.join(', ')} (bench/servers/floor.ts)` },
    scenarios: {
      default: 'chat-json',
      what: `comma-separated list of: ${SCENARIOS.map(({ name }) => name).join(', ')}`,
    },
    loads: { default: '32', what: 'connections of a closed loop, or 300/s for an open loop, with commas' },
    rounds: { default: '8', what: 'runs of each build' },
    seconds: { default: '3', what: 'length of one run' },
    'warm-up': { default: '60', what: 'seconds of load for each build before its first measured run' },
  },
);
const refuse = (name: string): never => {
  console.error(`There is no ${name}. --help lists the names.`);
  return process.exit(1);
};
const scenarios = itemsOf(given.scenarios).map(
  (name) => SCENARIOS.find((each) => each.name === name) ?? refuse(`scenario ${name}`),
);
const floors = itemsOf(given.floors).map((name) => (FLOORS.includes(name) ? name : refuse(`floor ${name}`)));
const seconds = Number(given.seconds);
/** Folders that are deleted at the end. */
const folders: string[] = [];
const BARE = 'bare proxy';

interface Contestant {
  readonly name: string;
  readonly url: string;
  readonly cpu: () => number;
  readonly postgresCpu: () => number;
  readonly databaseUrl: string;
}

/**
 * Starts a build, or servers/floor.ts if there is no `folder`. Each has its own database, because an older build
 * refuses the schema of a newer build.
 */
async function startOnDatabase(name: string, vendor: Server, folder?: string): Promise<Contestant> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  folders.push(dataDir);
  const { url: databaseUrl } = await run(['bench/servers/database.ts'], { DATA_DIR: dataDir }, OTHER_CORES);
  const postmaster = postmasterPid(dataDir);
  await mkdir(join(dataDir, 'service'));
  const bench = { vendor, databaseUrl, postmaster, dataDir: join(dataDir, 'service'), postgres: '' };
  const floor = { VENDOR_URL: vendor.url, DATABASE_URL: databaseUrl, STEPS: name };
  const { url, pid } = folder
    ? await startService(bench, [], { folder: resolve(folder) })
    : await run([...LOADER, 'bench/servers/floor.ts'], floor, SERVER_CORE);
  return { name, url, cpu: () => cpuOf(pid), postgresCpu: () => cpuOfPostgres(postmaster), databaseUrl };
}

const loadOf = (target: string, scenario: Scenario, load: string): Promise<LoadResult> =>
  load.endsWith('/s')
    ? openLoop(target, scenario, Number(load.slice(0, -2)), seconds)
    : closedLoop(target, [scenario], Number(load), seconds);

/** Milliseconds of one durable insert of a row, with the driver of the service. */
async function insertMs(databaseUrl: string): Promise<number> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  await client.query('create table if not exists bench_row (value text)');
  const times: number[] = [];
  for (let row = 0; row < 100; row++) {
    const start = performance.now();
    await client.query('insert into bench_row values ($1)', ['x'.repeat(500)]);
    times.push(performance.now() - start);
  }
  await client.end();
  return median(times);
}

function table(scenario: Scenario, load: string, rounds: ReadonlyMap<string, Run>[]): void {
  console.log(`\n${scenario.name}, ${load.endsWith('/s') ? load : `${load} connections`}`);
  for (const name of rounds[0]!.keys()) {
    const runs = rounds.map((round) => round.get(name)!);
    const of = (value: (run: Run) => number): number => median(runs.map(value));
    const ratios = rounds.map((round) => round.get(name)!.cpu / round.get(BARE)!.cpu);
    const addedMs = median(rounds.map((round) => round.get(name)!.p50 - round.get(BARE)!.p50));
    console.log(
      `${name.padEnd(12)} ${of((each) => each.cpu).toFixed(0)} µs, ${median(ratios).toFixed(2)} × ` +
        `(${Math.min(...ratios).toFixed(2)} to ${Math.max(...ratios).toFixed(2)}), ` +
        `PostgreSQL ${of((each) => each.postgresCpu).toFixed(0)} µs, p50 ${of((each) => each.p50).toFixed(2)} ms ` +
        `(+${addedMs.toFixed(2)}), ${of((each) => each.requestsPerSecond).toFixed(0)}/s, ` +
        `core ${(100 - of((each) => each.cpu * each.requestsPerSecond) / 1e4).toFixed(0)} % idle`,
    );
  }
  const ratiosTo = (name: string, part: 'cpu' | 'postgresCpu'): string =>
    describeRatios(rounds.map((round) => round.get('now')![part] / round.get(name)![part]));
  for (const name of rounds[0]!.keys())
    if (name !== BARE && name !== 'now')
      console.log(
        `now against ${name}: ${ratiosTo(name, 'cpu')}; PostgreSQL ${ratiosTo(name, 'postgresCpu')}; p50 ` +
          `${median(rounds.map((round) => round.get('now')!.p50 - round.get(name)!.p50)).toFixed(2)} ms`,
      );
}

async function main(): Promise<void> {
  leaveServerCore();
  try {
    const vendor = await run([...LOADER, 'bench/servers/mock-vendor.ts'], {}, OTHER_CORES);
    const bare = await run(['bench/servers/bare-proxy.ts'], { VENDOR_URL: vendor.url }, SERVER_CORE);
    const now = await startOnDatabase('now', vendor, '.');
    const bareProxy = { ...now, name: BARE, url: bare.url, cpu: () => cpuOf(bare.pid), postgresCpu: () => 0 };
    const contestants: Contestant[] = [bareProxy, now];
    for (const other of [...itemsOf(given.builds), ...floors]) {
      const [name, folder] = other.split('=', 2) as [string, string?];
      contestants.push(await startOnDatabase(name, vendor, folder));
    }
    for (const { url } of contestants) await closedLoop(url, scenarios, 32, Number(given['warm-up']));
    const inserts: number[] = [];
    for (const scenario of scenarios) {
      for (const load of itemsOf(given.loads)) {
        const rounds: Map<string, Run>[] = [];
        for (let round = 0; round < Number(given.rounds); round++) {
          const runs = new Map<string, Run>();
          for (const { name, url, cpu, postgresCpu } of round % 2 === 0 ? contestants : contestants.toReversed())
            runs.set(name, await measured(() => loadOf(url, scenario, load), cpu, postgresCpu));
          rounds.push(new Map(contestants.map(({ name }) => [name, runs.get(name)!])));
          inserts.push(await insertMs(now.databaseUrl));
        }
        table(scenario, load, rounds);
      }
    }
    console.log(`\na durable insert of one row: ${median(inserts).toFixed(2)} ms at the median`);
  } finally {
    await stopAll();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  }
}

await main();
