// Measures how much of the cost of a buffered chat is caused by Nest, by JSON and by a durable record: alternates
// between the service, three servers that do less, and the bare proxy.
// `npm run build && npm run bench:floors`; `-- --help` lists the options.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closedLoop } from '../load.js';
import { median } from '../measure.js';
import { cpuOf, cpuOfPostgres, leaveServerCore, OTHER_CORES, postmasterPid, SERVER_CORE } from '../processes.js';
import { readOptions } from '../read-options.js';
import { SCENARIOS } from '../scenarios.js';
import { run, startService, stopAll } from '../service-process.js';

const given = readOptions(
  'Compares the CPU per request of the service and of servers that do less. Build first: npm run build.',
  {
    rounds: { default: '8', what: 'runs of each server' },
    seconds: { default: '2', what: 'length of one run' },
    'warm-up': { default: '20', what: 'seconds of load for each server before its first measured run' },
    connections: { default: '32', what: 'connections of the closed loop' },
  },
);
const CHAT = SCENARIOS.filter(({ name }) => name === 'chat-json');
const connections = Number(given.connections);
const LOADER = ['--import', './dev/typescript-loader.ts'];

interface Cost {
  readonly cpu: number;
  readonly postgres: number;
}

async function main(): Promise<void> {
  leaveServerCore();
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  try {
    const vendor = await run([...LOADER, 'bench/servers/mock-vendor.ts'], {}, OTHER_CORES);
    const database = await run(['bench/servers/database.ts'], { DATA_DIR: dataDir }, OTHER_CORES);
    const bench = { vendor, databaseUrl: database.url, postmaster: postmasterPid(dataDir), dataDir, postgres: '' };
    const env = { VENDOR_URL: vendor.url, DATABASE_URL: database.url };
    const floor = (steps: string) => run([...LOADER, 'bench/servers/floor.ts'], { ...env, STEPS: steps }, SERVER_CORE);
    const servers = {
      'bare proxy': await run(['bench/servers/bare-proxy.ts'], env, SERVER_CORE),
      'Nest, bytes': await floor('bytes'),
      'Nest, parsed': await floor('parsed'),
      'Nest, parsed, settled': await floor('settled'),
      service: await startService(bench, []),
    };
    const names = Object.keys(servers) as (keyof typeof servers)[];
    const measured = async (name: keyof typeof servers, seconds: number): Promise<Cost> => {
      const { url, pid } = servers[name];
      const before = [cpuOf(pid), cpuOfPostgres(bench.postmaster)] as const;
      const { requests } = await closedLoop(url, CHAT, connections, seconds);
      return {
        cpu: (cpuOf(pid) - before[0]) / requests,
        postgres: (cpuOfPostgres(bench.postmaster) - before[1]) / requests,
      };
    };
    for (const name of names) await measured(name, Number(given['warm-up']));
    const rounds: Record<string, Cost>[] = [];
    for (let round = 0; round < Number(given.rounds); round++) {
      const costs: Record<string, Cost> = {};
      for (const name of round % 2 === 0 ? names : names.toReversed())
        costs[name] = await measured(name, Number(given.seconds));
      rounds.push(costs);
      console.log(names.map((name) => `${name} ${costs[name]!.cpu.toFixed(0)} µs`).join(', '));
    }
    for (const name of names) {
      const ratios = rounds.map((costs) => costs[name]!.cpu / costs['bare proxy']!.cpu);
      const of = (part: keyof Cost): string => median(rounds.map((costs) => costs[name]![part])).toFixed(0);
      console.log(
        `${name}: ${of('cpu')} µs, ${median(ratios).toFixed(2)} × (${Math.min(...ratios).toFixed(2)} to ` +
          `${Math.max(...ratios).toFixed(2)}), PostgreSQL ${of('postgres')} µs`,
      );
    }
  } finally {
    await stopAll();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await main();
