import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { cpus, release, tmpdir, totalmem, type } from 'node:os';
import { join, resolve } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { contestants, stop, type Contestants } from './contestants.js';
import { closedLoop, openLoop } from './load.js';
import { HELP, shownOptions, values } from './main-options.js';
import { measureMemory, tellMemory } from './memory.js';
import { HEADING, line, measured, summarise, type Pair, type Run, type Summary } from './measure.js';
import {
  cpuOf,
  cpuOfPostgres,
  isPinned,
  leaveServerCore,
  OTHER_CORES,
  postmasterPid,
  SERVER_CORE,
  type Server,
} from './processes.js';
import { SCENARIOS, type Scenario } from './scenarios.js';
import { run, stopAll, words, type Bench } from './service-process.js';

const answeredBy = async (vendor: Server): Promise<number> =>
  ((await (await fetch(`${vendor.url}/stats`)).json()) as { answered: number }).answered;

/** The number of billed calls, after all reservations have ended. */
async function billed(sql: pg.Client): Promise<number> {
  for (;;) {
    const { rows } = await sql.query<{ open: string; billed: string }>(
      `select (select count(*) from reservation where state = 'reserved') as open,
         (select count(*) from ledger_line where kind = 'generation') as billed`,
    );
    if (rows[0]!.open === '0') return Number(rows[0]!.billed);
    await sleep(50);
  }
}

/** Throws if a setting of the database makes commits cheaper than in production. */
async function durability(sql: pg.Client): Promise<{ postgres: string }> {
  const { rows } = await sql.query<{ version: string; safe: boolean }>(
    `select current_setting('server_version') as version,
         current_setting('fsync') = 'on' and current_setting('synchronous_commit') = 'on'
         and current_setting('full_page_writes') = 'on' as safe`,
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
  if (seen !== counted) throw new Error(`the vendor completed ${seen} calls, but ${counted} were billed`);
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
        if (rate > 0 && scenario.openLoop) {
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
  await report(`${machine(bench)}\n${tellMemory(result, minutes)}`, {
    machine: machine(bench),
    options: shownOptions,
    result,
  });
}

const machine = ({ postgres }: Bench): string =>
  `${new Date().toISOString()} · ${cpus()[0]!.model} × ${cpus().length} · ` +
  `${(totalmem() / 2 ** 30).toFixed(0)} GiB · ${type()} ${release().split('.', 2).join('.')} · ` +
  `Node ${process.version} · PostgreSQL ${postgres} · ` +
  (isPinned ? `server on core ${SERVER_CORE}, everything else on ${OTHER_CORES}` : 'not pinned');

async function report(text: string, data: unknown): Promise<void> {
  console.log(text);
  if (!values.out) return;
  const folder = resolve(import.meta.dirname, 'results');
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, `${values.out}.txt`), `${text}\n`);
  await writeFile(join(folder, `${values.out}.json`), `${JSON.stringify(data, null, 1)}\n`);
}

async function main(): Promise<void> {
  leaveServerCore();
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  try {
    const vendor = await run(
      ['--import', './dev/typescript-loader.ts', 'bench/servers/mock-vendor.ts'],
      {},
      OTHER_CORES,
    );
    const database = await run(['bench/servers/database.ts'], { DATA_DIR: dataDir }, OTHER_CORES);
    const sql = new pg.Client(database.url);
    sql.on('error', (error) => console.error(`the connection to the database failed: ${error.message}`));
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
        'In every run the number of billed calls equals the number of complete responses of the vendor.',
      ].join('\n'),
      { machine: machine(bench), options: shownOptions, summaries },
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
