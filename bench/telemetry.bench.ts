// Measures the cost of metrics, the access log and traces: compares two services, of which one has the
// feature enabled, in interleaved pairs.
// `npm run build && npm run bench:telemetry`; `-- --help` lists the options.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { median } from './measure.js';
import { leaveServerCore, OTHER_CORES, postmasterPid, type Server } from './processes.js';
import { percent, describeRatios } from './ratio-interval.js';
import { SCENARIOS } from './scenarios.js';
import { measurePair, warmUp } from './comparisons/service-pairs.js';
import { run, startService, stopAll, type Bench } from './service-process.js';
import { COMPARISONS, readTelemetryOptions, TOKEN, type Comparison } from './telemetry-options.js';

/** The period of scrapes. Each service is under load for half of the time. */
const SCRAPE_EVERY_MS = 2_000;

const options = readTelemetryOptions();
const load = {
  scenarios: SCENARIOS.filter(({ name }) => name === options.scenario),
  connections: options.connections,
  seconds: options.seconds,
};
const seconds = (started: number): string => `${((performance.now() - started) / 1000).toFixed(0).padStart(4)} s`;
const begun = performance.now();
const report = (text: string): void => console.log(`${seconds(begun)}  ${text}`);

type TelemetryBench = Bench & { readonly receiver: Server };

/** Reads the metrics periodically, like Prometheus, until the returned function is called. */
function scrape({ url }: Server): () => void {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const timer = setInterval(() => {
    fetch(`${url}/metrics`, { headers }).then(
      (page) => page.text(),
      () => undefined,
    );
  }, SCRAPE_EVERY_MS);
  return () => clearInterval(timer);
}

/** Measures pairs with two new services: starts them, warms them up, and stops them at the end. */
async function comparePairs(
  bench: TelemetryBench,
  name: string,
  { on: variables, isScraped }: Comparison,
  { pairs, isOnFirst }: { readonly pairs: number; readonly isOnFirst: boolean },
): Promise<number[]> {
  const start = (isOn: boolean): Promise<Server> => startService(bench, isOn ? variables(bench.receiver.url) : []);
  const first = await start(isOnFirst);
  const second = await start(!isOnFirst);
  const [off, on] = isOnFirst ? [second, first] : [first, second];
  const stopScrapes = isScraped ? scrape(on) : () => undefined;
  report(`${name}: warming up`);
  await warmUp([first, second], { ...load, seconds: options.warmUp });
  const ratios: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const [{ service: without }, { service: withIt }] = await measurePair(off, on, load, pair % 2 === 1);
    ratios.push(withIt / without);
    report(
      `${name}: off ${without.toFixed(1)} µs, on ${withIt.toFixed(1)} µs a request, ${percent(withIt / without)}; ` +
        `median so far ${percent(median(ratios))}`,
    );
  }
  stopScrapes();
  await on.stop();
  await off.stop();
  return ratios;
}

/**
 * Compares in several forks, each with new processes: the same code may be compiled differently in each process, and
 * interleaving cannot compensate for that.
 */
async function compare(bench: TelemetryBench, name: string, comparison: Comparison): Promise<string> {
  const ratios: number[] = [];
  for (let fork = 0; fork < options.forks; fork++) {
    const left = options.pairs - ratios.length;
    const pairs = Math.ceil(left / (options.forks - fork));
    ratios.push(...(await comparePairs(bench, name, comparison, { pairs, isOnFirst: fork % 2 === 1 })));
  }
  const bound = comparison.most === undefined ? '' : `, at most ${percent(comparison.most)}`;
  return `${name}: ${describeRatios(ratios)}${bound}`;
}

async function main(): Promise<void> {
  leaveServerCore();
  const dataDir = await mkdtemp(join(tmpdir(), 'gatehouse-bench-'));
  try {
    const vendor = await run(['bench/servers/mock-vendor.ts'], {}, OTHER_CORES);
    const receiver = await run(['bench/servers/otlp-receiver.ts'], {}, OTHER_CORES);
    const database = await run(['bench/servers/database.ts'], { DATA_DIR: dataDir }, OTHER_CORES);
    const postmaster = postmasterPid(dataDir);
    const bench = { vendor, receiver, databaseUrl: database.url, postmaster, dataDir, postgres: '' };
    const verdicts: string[] = [];
    for (const name of options.compare) verdicts.push(await compare(bench, name, COMPARISONS[name]!));
    console.log(
      `\n${options.scenario}, ${options.connections} connections, CPU of the service per request, on against off`,
    );
    for (const verdict of verdicts) console.log(verdict);
  } finally {
    await stopAll();
    await rm(dataDir, { recursive: true, force: true });
  }
}

await main();
