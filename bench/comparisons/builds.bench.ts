// Compares the cost of a call in two builds of the service and in the bare proxy, in interleaved pairs.
// `npm run build && npm run bench:builds -- --before <folder>`; `-- --help` lists the options.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { closedLoop } from '../load.js';
import { median } from '../measure.js';
import { cpuOf, leaveServerCore, OTHER_CORES, postmasterPid, SERVER_CORE, type Server } from '../processes.js';
import { describeRatios } from '../ratio-interval.js';
import { readOptions } from '../read-options.js';
import { SCENARIOS } from '../scenarios.js';
import { measurePair, warmUp, type MeasuredService } from './service-pairs.js';
import { run, startService, stopAll } from '../service-process.js';

const given = readOptions(
  'Compares the CPU per request of two builds of the service.\n' +
    'A pair is four runs: before, now, now, before, or the reverse. Build both first: npm run build.',
  {
    before: { default: '', what: 'folder of the other version, with its dist/ and node_modules/; required' },
    pairs: { default: '16', what: 'interleaved pairs' },
    forks: { default: '2', what: 'restarts of both services, over which the pairs are distributed' },
    seconds: { default: '1.5', what: 'length of one of the four runs of a pair' },
    'warm-up': { default: '30', what: 'seconds of load for each service before its first measured run' },
    connections: { default: '32', what: 'connections of the closed loop' },
    scenario: { default: 'chat-json', what: `of ${SCENARIOS.map(({ name }) => name).join(', ')}` },
  },
);
if (given.before === '') {
  console.error('--before is required. --help lists the options.');
  process.exit(1);
}
const load = {
  scenarios: SCENARIOS.filter(({ name }) => name === given.scenario),
  connections: Number(given.connections),
  seconds: Number(given.seconds),
};

type Name = 'before' | 'now' | 'PostgreSQL before' | 'PostgreSQL now' | 'bare';

async function stopBoth(...servers: readonly Server[]): Promise<void> {
  for (const server of servers) await server.stop();
}

async function bareCost({ url, pid }: Server): Promise<number> {
  const before = cpuOf(pid);
  const { requests } = await closedLoop(url, load.scenarios, load.connections, load.seconds);
  return (cpuOf(pid) - before) / requests;
}

async function main(): Promise<void> {
  leaveServerCore();
  const folders: string[] = [];
  try {
    const loader = ['--import', './dev/typescript-loader.ts'];
    const vendor = await run([...loader, 'bench/servers/mock-vendor.ts'], {}, OTHER_CORES);
    const costs: Record<Name, number>[] = [];
    const forks = Number(given.forks);
    for (let fork = 0; fork < forks; fork++) {
      // Each build has its own database, because the older one does not start on the schema of the newer one.
      const start = async (folder: string): Promise<MeasuredService> => {
        const own = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
        folders.push(own);
        const database = await run(['bench/servers/database.ts'], { DATA_DIR: own }, OTHER_CORES);
        const postmaster = postmasterPid(own);
        await mkdir(join(own, 'service'));
        const bench = { vendor, databaseUrl: database.url, postmaster, dataDir: join(own, 'service'), postgres: '' };
        const service = await startService(bench, [], { folder: resolve(folder) });
        return { pid: service.pid, url: service.url, postmaster, stop: () => stopBoth(service, database) };
      };
      const bare = await run(['bench/servers/bare-proxy.ts'], { VENDOR_URL: vendor.url }, SERVER_CORE);
      const order = fork % 2 === 0 ? [given.before, '.'] : ['.', given.before];
      const started = [await start(order[0]!), await start(order[1]!)] as const;
      const [before, now] = fork % 2 === 0 ? started : ([started[1], started[0]] as const);
      await warmUp([bare, before, now], { ...load, seconds: Number(given['warm-up']) });
      for (let pair = 0; pair < Math.ceil(Number(given.pairs) / forks); pair++) {
        const bareBefore = await bareCost(bare);
        const [one, other] = await measurePair(before, now, load, pair % 2 === 1);
        const cost = {
          before: one.service,
          now: other.service,
          'PostgreSQL before': one.postgres,
          'PostgreSQL now': other.postgres,
          bare: (bareBefore + (await bareCost(bare))) / 2,
        };
        costs.push(cost);
        console.log(
          Object.entries(cost)
            .map(([name, cpu]) => `${name} ${cpu.toFixed(0)} µs`)
            .join(', '),
        );
      }
      for (const server of [before, now, bare]) await server.stop();
    }
    const of = (name: Name): number => median(costs.map((cost) => cost[name]));
    console.log(
      `${given.scenario}, ${given.connections} connections: before ${of('before').toFixed(0)} µs, now ` +
        `${of('now').toFixed(0)} µs, bare proxy ${of('bare').toFixed(0)} µs a request`,
    );
    console.log(`now against before: ${describeRatios(costs.map((cost) => cost.now / cost.before))}`);
    console.log(
      `PostgreSQL: before ${of('PostgreSQL before').toFixed(0)} µs, now ${of('PostgreSQL now').toFixed(0)} µs: ` +
        describeRatios(costs.map((cost) => cost['PostgreSQL now'] / cost['PostgreSQL before'])),
    );
    for (const name of ['before', 'now'] as const)
      console.log(`${name} against bare: ${median(costs.map((cost) => cost[name] / cost.bare)).toFixed(2)} ×`);
  } finally {
    await stopAll();
    for (const folder of folders) await rm(folder, { recursive: true, force: true });
  }
}

await main();
