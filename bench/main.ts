import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, release, tmpdir, totalmem, type } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { closedLoop, openLoop } from './load.js';
import { measureMemory, tellMemory } from './memory.js';
import { HEADING, line, measured, summarise, type Pair, type Run, type Summary } from './measure.js';
import {
  cpuOf,
  cpuOfPostgres,
  isPinned,
  OTHER_CORES,
  postmasterPid,
  SERVER_CORE,
  start,
  type Server,
} from './processes.js';
import { API_KEY, MANAGEMENT_KEY, SCENARIOS, type Scenario } from './scenarios.js';

const HELP = `Measures the service beside a bare Node proxy that does the same calls to the same vendor. Build first: npm run build.

  --scenarios a,b     of ${SCENARIOS.map(({ name }) => name).join(', ')} (default all)
  --connections a,b   connections of the closed loop (default 1,32,128)
  --rounds n          pairs of runs between two restarts (default 3)
  --forks n           restarts of both servers (default 2)
  --seconds n         length of one run (default 4)
  --warm-up n         seconds of load that count for nothing, for each server and scenario: until then V8 compiles (default 20)
  --open-loop n       requests a second of the open loop, 0 = none (default 400)
  --memory n          minutes of load of all scenarios over 128 connections, with the slope of the resident memory; nothing else is measured
  --rate n            requests a second at most while the memory is watched (default 0 = as many as go through)
  --piece n           seconds of one piece of that load, with connections of its own (default 60)
  --through command   runs each piece through a command, such as one that waits for its turn
  --profile dir       writes a CPU profile of the service there
  --node-flags text   flags for the service's Node instead of those in the start script
  --proxy-flags text  flags for the bare proxy's Node (default none)
  --out name          writes bench/results/<name>.json and .txt
  --help`;

const { values } = parseArgs({
  options: {
    scenarios: { type: 'string' },
    connections: { type: 'string', default: '1,32,128' },
    rounds: { type: 'string', default: '3' },
    forks: { type: 'string', default: '2' },
    seconds: { type: 'string', default: '4' },
    'warm-up': { type: 'string', default: '20' },
    'open-loop': { type: 'string', default: '400' },
    memory: { type: 'string' },
    rate: { type: 'string', default: '0' },
    piece: { type: 'string', default: '60' },
    through: { type: 'string', default: '' },
    profile: { type: 'string' },
    'node-flags': { type: 'string' },
    'proxy-flags': { type: 'string', default: '' },
    out: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});

/** What results say of the options: nothing about this machine's folders. */
const told = { ...values, through: undefined, profile: undefined, out: undefined, help: undefined };

interface Bench {
  readonly vendor: Server;
  readonly databaseUrl: string;
  readonly postmaster: number;
  readonly dataDir: string;
  /** Its version. */
  readonly postgres: string;
}

interface Contestants {
  readonly bare: Server;
  readonly service: Server;
}

const started: Server[] = [];
async function run(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  core: string,
  ready?: RegExp,
): Promise<Server> {
  const server = await start(args, env, core, ready);
  started.unshift(server);
  return server;
}

async function stopAll(): Promise<void> {
  for (const server of started) await server.stop();
}

async function contestants(bench: Bench): Promise<Contestants> {
  const bare = await run(
    [...words(values['proxy-flags']), 'bench/servers/bare-proxy.ts'],
    { VENDOR_URL: bench.vendor.url },
    SERVER_CORE,
  );
  const profile = values.profile
    ? ['--cpu-prof', '--cpu-prof-interval=250', `--cpu-prof-dir=${resolve(values.profile)}`]
    : [];
  const flags = values['node-flags'] === undefined ? flagsOfStart() : words(values['node-flags']);
  const env = {
    PORT: '0',
    LOG_LEVEL: 'warn',
    DATA_DIR: bench.dataDir,
    DATABASE_URL: bench.databaseUrl,
    MASTER_KEY: 'b1'.repeat(32),
    OPENAI_API_KEY: 'credential-of-the-bench',
    OPENAI_BASE_URL: `${bench.vendor.url}/v1`,
    BOOTSTRAP_API_KEY: API_KEY,
    BOOTSTRAP_MANAGEMENT_KEY: MANAGEMENT_KEY,
    BOOTSTRAP_CREDITS_USD: '1000000000',
  };
  const service = await run([...profile, ...flags, 'dist/main.js'], env, SERVER_CORE, /API {7}(http:\/\/\S+)\/api\/v1/);
  return { bare, service };
}

const words = (text: string): string[] => text.split(' ').filter(Boolean);

/** The service is measured as `npm start` runs it. */
function flagsOfStart(): string[] {
  const { scripts } = JSON.parse(readFileSync(resolve(import.meta.dirname, '../package.json'), 'utf8')) as {
    scripts: { start: string };
  };
  return words(scripts.start).filter((word) => word.startsWith('--'));
}

async function stop({ bare, service }: Contestants): Promise<void> {
  await service.stop();
  await bare.stop();
}

const answeredBy = async (vendor: Server): Promise<number> =>
  ((await (await fetch(`${vendor.url}/stats`)).json()) as { answered: number }).answered;

/** How many calls were billed, once no reservation is open. */
async function billed(sql: pg.Client): Promise<number> {
  for (;;) {
    const { rows } = await sql.query<{ open: string; billed: string }>(
      `select (select count(*) from reservation where state = 'reserved') as open, (select count(*) from ledger_entry where kind = 'generation') as billed`,
    );
    if (rows[0]!.open === '0') return Number(rows[0]!.billed);
    await sleep(50);
  }
}

/** What is measured must be durable: no setting of the database may make commits cheaper than production has them. */
async function durability(sql: pg.Client): Promise<{ postgres: string }> {
  const { rows } = await sql.query<{ version: string; safe: boolean }>(
    `select current_setting('server_version') as version, current_setting('fsync') = 'on' and current_setting('synchronous_commit') = 'on' and current_setting('full_page_writes') = 'on' as safe`,
  );
  if (!rows[0]!.safe)
    throw new Error('the database is not durable: fsync, synchronous_commit and full_page_writes must be on');
  return { postgres: rows[0]!.version.split(' ')[0]! };
}

async function servicePair(
  bench: Bench,
  sql: pg.Client,
  on: Contestants,
  load: (target: string) => ReturnType<typeof closedLoop>,
): Promise<Pair> {
  const bare = await measured(
    () => load(on.bare.url),
    () => cpuOf(on.bare.pid),
    () => 0,
  );
  const before = [await answeredBy(bench.vendor), await billed(sql)] as const;
  const service: Run = await measured(
    () => load(on.service.url),
    () => cpuOf(on.service.pid),
    () => cpuOfPostgres(bench.postmaster),
  );
  const seen = (await answeredBy(bench.vendor)) - before[0];
  const counted = (await billed(sql)) - before[1];
  if (seen !== counted) throw new Error(`the vendor answered ${seen} calls and ${counted} were billed`);
  return { bare, service };
}

async function compare(bench: Bench, sql: pg.Client, chosen: readonly Scenario[]): Promise<Summary[]> {
  const seconds = Number(values.seconds);
  const pairs = new Map<string, Pair[]>();
  for (let fork = 0; fork < Number(values.forks); fork++) {
    const on = await contestants(bench);
    for (const scenario of chosen) {
      for (const target of [on.bare.url, on.service.url])
        await closedLoop(target, [scenario], 32, Number(values['warm-up']));
      for (let round = 0; round < Number(values.rounds); round++) {
        for (const connections of values.connections.split(',').filter(Boolean).map(Number)) {
          const key = `${scenario.name} ×${connections}`;
          pairs.set(key, [
            ...(pairs.get(key) ?? []),
            await servicePair(bench, sql, on, (target) => closedLoop(target, [scenario], connections, seconds)),
          ]);
        }
        const rate = Number(values['open-loop']);
        // A stream lasts too long, and a mebibyte is too much, for an open loop on one core to say something of the service.
        if (rate > 0 && scenario.most === 2) {
          const key = `${scenario.name} ${rate}/s`;
          pairs.set(key, [
            ...(pairs.get(key) ?? []),
            await servicePair(bench, sql, on, (target) => openLoop(target, scenario, rate, seconds)),
          ]);
        }
      }
    }
    await stop(on);
  }
  return [...pairs].map(([key, list]) => summarise(key.split(' ')[0]!, key.split(' ')[1]!, list));
}

async function memory(bench: Bench): Promise<void> {
  const on = await contestants(bench);
  const minutes = Number(values.memory);
  const result = await measureMemory(on.service, minutes, {
    pieceSeconds: Number(values.piece),
    perSecond: Number(values.rate),
    through: words(values.through),
  });
  await stop(on);
  await report(`${machine(bench)}\n${tellMemory(result, minutes)}`, { machine: machine(bench), options: told, result });
}

const machine = ({ postgres }: Bench): string =>
  `${new Date().toISOString()} · ${cpus()[0]!.model} × ${cpus().length} · ${(totalmem() / 2 ** 30).toFixed(0)} GiB · ${type()} ${release().split('.', 2).join('.')} · Node ${process.version} · PostgreSQL ${postgres} · ${isPinned ? `server on core ${SERVER_CORE}, everything else on ${OTHER_CORES}` : 'not pinned'}`;

async function report(text: string, data: unknown): Promise<void> {
  console.log(text);
  if (!values.out) return;
  const folder = resolve(import.meta.dirname, 'results');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${values.out}.txt`), `${text}\n`);
  await writeFile(join(folder, `${values.out}.json`), `${JSON.stringify(data, null, 1)}\n`);
}

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  try {
    const vendor = await run(['bench/servers/mock-vendor.ts'], {}, OTHER_CORES);
    const database = await run(['bench/servers/database.ts'], { DATA_DIR: dataDir }, OTHER_CORES);
    const sql = new pg.Client(database.url);
    sql.on('error', (error) => console.error(`the database is gone: ${error.message}`));
    await sql.connect();
    const settings = await durability(sql);
    const bench = { vendor, databaseUrl: database.url, postmaster: postmasterPid(dataDir), dataDir, ...settings };
    if (values.memory) {
      await sql.end();
      return await memory(bench);
    }
    const chosen = SCENARIOS.filter(({ name }) => !values.scenarios || values.scenarios.split(',').includes(name));
    const summaries = await compare(bench, sql, chosen);
    await sql.end();
    const verdicts = summaries
      .filter(({ load }) => load === '×32')
      .map(
        ({ scenario, ratio }) =>
          `${scenario} ${ratio.toFixed(2)} × (at most ${SCENARIOS.find(({ name }) => name === scenario)!.most} ×)`,
      );
    await report(
      [
        machine(bench),
        HEADING,
        ...summaries.map(line),
        ...(verdicts.length > 0 ? [`At 32 connections: ${verdicts.join(' · ')}`] : []),
        'What the vendor answered and what was billed agree in every run.',
      ].join('\n'),
      { machine: machine(bench), options: told, summaries },
    );
  } finally {
    await stopAll();
    await rm(dataDir, { recursive: true, force: true });
  }
}

if (values.help) console.log(HELP);
else {
  for (const signal of ['SIGINT', 'SIGTERM'] as const)
    process.once(signal, () => void stopAll().then(() => process.exit(1)));
  await main();
}
