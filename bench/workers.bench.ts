// Compares the cost of a call with one process and with several workers, and the memory of the processes.
// `npm run build && npm run bench:workers`; `-- --help` lists the options.
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { closedLoop } from './load.js';
import { median } from './measure.js';
import {
  cpuOfPostgres,
  cpuOfTree,
  memoryOf,
  postmasterPid,
  proportionalMemoryOf,
  treeOf,
  type Server,
} from './processes.js';
import { describeRatios } from './ratio-interval.js';
import { SCENARIOS } from './scenarios.js';
import { run, startService, stopAll } from './service-process.js';

const HELP = `Compares a service with WORKERS=1 with a service with more workers, in interleaved pairs on all cores.
Build first: npm run build.

  --workers n         workers of the second service (default 2)
  --pairs n           pairs of runs (default 12)
  --seconds n         length of one run (default 3)
  --warm-up n         seconds of load for each service before its first run (default 30)
  --connections n     connections of the closed loop (default 32)
  --help`;

const { values } = parseArgs({
  options: {
    workers: { type: 'string', default: '2' },
    pairs: { type: 'string', default: '12' },
    seconds: { type: 'string', default: '3' },
    'warm-up': { type: 'string', default: '30' },
    connections: { type: 'string', default: '32' },
    help: { type: 'boolean', default: false },
  },
});
const CHAT = SCENARIOS.filter(({ name }) => name === 'chat-json');
const ALL_CORES = `0-${availableParallelism() - 1}`;

const memoryOfTree = (pid: number): number => treeOf(pid).reduce((sum, each) => sum + proportionalMemoryOf(each), 0);

interface Cost {
  readonly service: number;
  readonly postgres: number;
  readonly perSecond: number;
}

async function measure({ url, pid }: Server, postmaster: number): Promise<Cost> {
  const before = [cpuOfTree(pid), cpuOfPostgres(postmaster)] as const;
  const { requests, seconds } = await closedLoop(url, CHAT, Number(values.connections), Number(values.seconds));
  return {
    service: (cpuOfTree(pid) - before[0]) / requests,
    postgres: (cpuOfPostgres(postmaster) - before[1]) / requests,
    perSecond: requests / seconds,
  };
}

async function main(): Promise<void> {
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  try {
    const database = await run(['bench/servers/database.ts'], { DATA_DIR: dataDir }, ALL_CORES);
    const loader = ['--import', './dev/typescript-loader.ts'];
    const vendor = await run([...loader, 'bench/servers/mock-vendor.ts'], {}, ALL_CORES);
    const postmaster = postmasterPid(dataDir);
    const start = async (workers: string): Promise<Server> => {
      const own = join(dataDir, `workers-${workers}`);
      await mkdir(own);
      const bench = { vendor, databaseUrl: database.url, postmaster, dataDir: own, postgres: '' };
      return startService(bench, [`WORKERS=${workers}`], { cores: ALL_CORES });
    };
    const [one, several] = [await start('1'), await start(values.workers)];
    for (const service of [one, several])
      await closedLoop(service.url, CHAT, Number(values.connections), Number(values['warm-up']));
    const pairs: { one: Cost; several: Cost }[] = [];
    for (let pair = 0; pair < Number(values.pairs); pair++) {
      const isFirst = pair % 2 === 0;
      const first = await measure(isFirst ? one : several, postmaster);
      const second = await measure(isFirst ? several : one, postmaster);
      pairs.push(isFirst ? { one: first, several: second } : { one: second, several: first });
    }
    for (const part of ['service', 'postgres'] as const) {
      console.log(
        `${part} µs a call: WORKERS=1 ${median(pairs.map(({ one: cost }) => cost[part])).toFixed(0)}, ` +
          `WORKERS=${values.workers} ${median(pairs.map(({ several: cost }) => cost[part])).toFixed(0)}; ratio ` +
          describeRatios(pairs.map(({ one: a, several: b }) => b[part] / a[part])),
      );
    }
    const rate = (of: 'one' | 'several'): string => median(pairs.map((pair) => pair[of].perSecond)).toFixed(0);
    console.log(`calls a second: WORKERS=1 ${rate('one')}, WORKERS=${values.workers} ${rate('several')}`);
    for (const pid of treeOf(several.pid)) console.log(`  process ${pid}: ${memoryOf(pid).toFixed(0)} MiB resident`);
    const [alone, together] = [memoryOfTree(one.pid), memoryOfTree(several.pid)];
    console.log(
      `memory: WORKERS=1 ${alone.toFixed(0)} MiB, WORKERS=${values.workers} ${together.toFixed(0)} MiB, ` +
        `${(together / alone).toFixed(2)} ×`,
    );
  } finally {
    await stopAll();
    await rm(dataDir, { recursive: true, force: true });
  }
}

if (values.help) console.log(HELP);
else await main();
