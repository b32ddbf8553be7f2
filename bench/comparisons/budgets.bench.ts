// Measures the cost of budgets per call: the CPU of one service and of PostgreSQL, alternately with budgets and without
// budgets.
// `npm run build && npm run bench:budgets`; `-- --help` lists the options.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { closedLoop } from '../load.js';
import { median } from '../measure.js';
import { cpuOf, cpuOfPostgres, leaveServerCore, OTHER_CORES, postmasterPid } from '../processes.js';
import { describeRatios } from '../ratio-interval.js';
import { readOptions } from '../read-options.js';
import { MANAGEMENT_KEY, SCENARIOS } from '../scenarios.js';
import { run, startService, stopAll } from '../service-process.js';

const given = readOptions('Compares the CPU per request with and without budgets, alternating.', {
  budgets: { default: '3', what: 'number of budgets in which each call counts, at most 6' },
  pairs: { default: '12', what: 'pairs of two runs without and two runs with budgets' },
  seconds: { default: '2', what: 'length of a run' },
  'warm-up': { default: '20', what: 'seconds of load before the first measured run' },
  connections: { default: '32', what: 'connections of the closed loop' },
  scenario: { default: 'chat-json', what: `one of: ${SCENARIOS.map(({ name }) => name).join(', ')}` },
});
const scenarios = SCENARIOS.filter(({ name }) => name === given.scenario);
const INTERVALS = ['monthly', 'weekly', 'daily'];

async function main(): Promise<void> {
  leaveServerCore();
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  try {
    const loader = ['--import', './dev/typescript-loader.ts'];
    const vendor = await run([...loader, 'bench/servers/mock-vendor.ts'], {}, OTHER_CORES);
    const database = await run(['bench/servers/database.ts'], { DATA_DIR: dataDir }, OTHER_CORES);
    const postmaster = postmasterPid(dataDir);
    const service = await startService(
      { vendor, databaseUrl: database.url, postmaster, dataDir: join(dataDir, 'service'), postgres: '' },
      [],
    );
    const manage = async (method: string, path: string, body?: object): Promise<{ data: { id: string } }> => {
      const response = await fetch(`${service.url}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${MANAGEMENT_KEY}`, 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${await response.text()}`);
      return (await response.json()) as { data: { id: string } };
    };
    const measure = async (): Promise<{ service: number; postgres: number }> => {
      const before = [cpuOf(service.pid), cpuOfPostgres(postmaster)] as const;
      const { requests } = await closedLoop(service.url, scenarios, Number(given.connections), Number(given.seconds));
      return {
        service: (cpuOf(service.pid) - before[0]) / requests,
        postgres: (cpuOfPostgres(postmaster) - before[1]) / requests,
      };
    };
    const withBudgets = async (): Promise<{ service: number; postgres: number }> => {
      const ids: string[] = [];
      for (let index = 0; index < Number(given.budgets); index++) {
        const each = index < INTERVALS.length ? 'model' : 'workspace_id';
        const wanted = { each, interval: INTERVALS[index % INTERVALS.length], limit_usd: 1_000_000, count_from: 'now' };
        ids.push((await manage('POST', '/budgets', wanted)).data.id);
      }
      await closedLoop(service.url, scenarios, Number(given.connections), 0.5);
      const costs = [await measure(), await measure()];
      for (const id of ids) await manage('DELETE', `/budgets/${id}`);
      await closedLoop(service.url, scenarios, Number(given.connections), 0.5);
      return meanOf(costs);
    };
    await closedLoop(service.url, scenarios, Number(given.connections), Number(given['warm-up']));
    const ratios: Record<'service' | 'postgres', number[]> = { service: [], postgres: [] };
    const plain: { service: number; postgres: number }[] = [];
    for (let pair = 0; pair < Number(given.pairs); pair++) {
      const first = await measure();
      const budgeted = await withBudgets();
      const without = meanOf([first, await measure()]);
      plain.push(without);
      for (const what of ['service', 'postgres'] as const) ratios[what].push(budgeted[what] / without[what]);
      console.log(
        `without: service ${without.service.toFixed(0)} µs, PostgreSQL ${without.postgres.toFixed(0)} µs; with: ` +
          `${budgeted.service.toFixed(0)} µs, ${budgeted.postgres.toFixed(0)} µs`,
      );
    }
    for (const what of ['service', 'postgres'] as const)
      console.log(
        `${what}: ${median(plain.map((cost) => cost[what])).toFixed(0)} µs a request without budgets; ` +
          `change with ${given.budgets} budgets: ${describeRatios(ratios[what])}`,
      );
  } finally {
    await stopAll();
    await rm(dataDir, { recursive: true, force: true });
  }
}

const meanOf = (costs: readonly { service: number; postgres: number }[]): { service: number; postgres: number } => ({
  service: costs.reduce((sum, { service }) => sum + service, 0) / costs.length,
  postgres: costs.reduce((sum, { postgres }) => sum + postgres, 0) / costs.length,
});

await main();
