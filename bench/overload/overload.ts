// Measures the service at twice the rate of calls that it can serve. `npm run build && npm run bench:overload`.
import { spawn } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { closedLoop, quantile, requestOf } from '../load.js';
import { pacedLoad, type PacedCall } from './paced-load.js';
import { cpuOf, leaveServerCore, OTHER_CORES, pinned, postmasterPid, SERVER_CORE } from '../processes.js';
import { API_KEY, MANAGEMENT_KEY, SCENARIOS } from '../scenarios.js';
import { run, startService, stopAll, words } from '../service-process.js';

const HELP = `Measures a service with twice the calls that it can serve. Build first: npm run build.

  --seconds n         length of each load (default 20)
  --warm-up n         seconds of load before (default 20)
  --rivals n          busy processes that share the core of the service, so that it is slower than the callers, the
                      vendor and PostgreSQL on the other cores (default 3)
  --service-env text  variables for the service
  --profile dir       writes a CPU profile of the service there
  --help`;

const { values } = parseArgs({
  options: {
    seconds: { type: 'string', default: '20' },
    'warm-up': { type: 'string', default: '20' },
    rivals: { type: 'string', default: '3' },
    'service-env': { type: 'string', default: '' },
    profile: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
const CHAT = SCENARIOS.find(({ name }) => name === 'chat-json')!;
const seconds = Number(values.seconds);
/** The first calls of a load are served as a burst, so the calls after this time are reported separately. */
const BEGINNING_MS = 5_000;
/** With this number of callers, batches are full, and no call is refused. */
const PEAK_CONNECTIONS = 128;

const perCall = (microseconds: number, calls: number): string =>
  `${(microseconds / calls).toFixed(0)} µs of CPU a call`;
const milliseconds = (times: readonly number[], share: number): string =>
  `${quantile(Float64Array.from(times).sort(), share).toFixed(0)} ms`;

/** Prints the calls of a part of a load by status. Returns the served calls per second until the last response. */
function report(name: string, calls: readonly PacedCall[], from = 0, to = Infinity): number {
  const part = calls.filter(({ at }) => at >= from && at < to);
  const end = Math.max(...part.map(({ at, ms }) => at + ms));
  const elapsed = (end - from) / 1000;
  const parts = Object.entries(Object.groupBy(part, ({ status }) => String(status))).map(([status, of = []]) => {
    const times = of.map(({ ms }) => ms);
    return (
      `${status}: ${(times.length / elapsed).toFixed(0)}/s, p50 ${milliseconds(times, 0.5)}, ` +
      `p99 ${milliseconds(times, 0.99)}`
    );
  });
  console.log(`${name.padEnd(34)} ${parts.join(' | ')}`);
  return part.filter(({ status }) => status === 200).length / elapsed;
}

async function keyOf(origin: string, name: string): Promise<string> {
  const response = await fetch(`${origin}/api/v1/keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${MANAGEMENT_KEY}`, 'content-type': 'application/json' },
    body: JSON.stringify({ name }),
  });
  return ((await response.json()) as { key: string }).key;
}

/** Prints the processor time of a refusal by a server that does nothing else. */
async function reportRefusals(layer: string, perSecond: number): Promise<void> {
  const server = await run(['bench/servers/refusing.ts'], { LAYER: layer }, SERVER_CORE);
  const origin = new URL(server.url);
  const load = (forSeconds: number): Promise<PacedCall[]> =>
    pacedLoad(origin, requestOf(origin, CHAT, API_KEY), perSecond, forSeconds);
  await load(3);
  const before = cpuOf(server.pid);
  const calls = await load(5);
  console.log(`a refusal alone, ${layer.padEnd(17)} ${perCall(cpuOf(server.pid) - before, calls.length)}`);
  await server.stop();
}

async function main(): Promise<void> {
  leaveServerCore();
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  const [command, ...options] = [...pinned(SERVER_CORE), process.execPath, '-e', 'for (;;);'];
  const rivals = Array.from({ length: Number(values.rivals) }, () => spawn(command, options));
  try {
    const database = await run(['bench/servers/database.ts'], { DATA_DIR: dataDir }, OTHER_CORES);
    const vendor = await run(
      ['--import', './dev/typescript-loader.ts', 'bench/servers/mock-vendor.ts'],
      {},
      OTHER_CORES,
    );
    const bench = { vendor, databaseUrl: database.url, postmaster: postmasterPid(dataDir), dataDir, postgres: '' };
    const service = await startService(bench, words(values['service-env']), { profileDir: values.profile });
    const origin = new URL(service.url);
    const load = (perSecond: number, key = API_KEY): Promise<PacedCall[]> =>
      pacedLoad(origin, requestOf(origin, CHAT, key), perSecond, seconds);

    await closedLoop(service.url, [CHAT], 32, Number(values['warm-up']));
    const before = cpuOf(service.pid);
    const peak = await closedLoop(service.url, [CHAT], PEAK_CONNECTIONS, seconds);
    const perSecond = peak.requests / peak.seconds;
    const cpu = perCall(cpuOf(service.pid) - before, peak.requests);
    console.log(`peak, ${PEAK_CONNECTIONS} connections               ${perSecond.toFixed(0)}/s, ${cpu}`);
    for (const layer of ['http', 'socket']) await reportRefusals(layer, perSecond);
    report('a tenth of the peak', await load(perSecond / 10));
    const greedy = await load(2 * perSecond);
    report('twice the peak, its beginning', greedy, 0, BEGINNING_MS);
    const served = report('twice the peak, afterwards', greedy, BEGINNING_MS);
    console.log(`  served of the peak                ${(served / perSecond).toFixed(2)}`);
    const modest = await keyOf(service.url, 'modest');
    const [one, other] = await Promise.all([load(2 * perSecond), load(perSecond / 10, modest)]);
    report('a key with twice the peak', one, BEGINNING_MS);
    const modestServed = report('beside it, one with a tenth', other, BEGINNING_MS);
    console.log(`  of its calls served               ${((10 * modestServed) / perSecond).toFixed(2)}`);
  } finally {
    for (const rival of rivals) rival.kill('SIGKILL');
    await stopAll();
    await rm(dataDir, { recursive: true, force: true });
  }
}

if (values.help) console.log(HELP);
else await main();
