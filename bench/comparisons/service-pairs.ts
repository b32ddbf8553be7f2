import { closedLoop } from '../load.js';
import { cpuOf, type Server } from '../processes.js';
import type { Scenario } from '../scenarios.js';

/** The load of each run of a pair. */
export interface PairLoad {
  readonly scenarios: readonly Scenario[];
  readonly connections: number;
  readonly seconds: number;
}

/**
 * CPU microseconds per request of two services. Four runs: first, second, second, first, or the reverse in every other
 * pair, so that what grows steadily adds equally to both. The CPU of a service covers the whole pair, all
 * threads: what it sends after its runs counts too.
 */
export async function measurePair(
  first: Server,
  second: Server,
  { scenarios, connections, seconds }: PairLoad,
  isReversed: boolean,
): Promise<readonly [first: number, second: number]> {
  const cpuOfBoth = (): number[] => [first, second].map(({ pid }) => cpuOf(pid));
  const before = cpuOfBoth();
  const requests = new Map([first, second].map((service) => [service, 0]));
  for (const service of isReversed ? [second, first, first, second] : [first, second, second, first]) {
    const run = await closedLoop(service.url, scenarios, connections, seconds);
    requests.set(service, requests.get(service)! + run.requests);
  }
  const [one, other] = cpuOfBoth().map((cpu, index) => cpu - before[index]!) as [number, number];
  return [one / requests.get(first)!, other / requests.get(second)!];
}

/** Load that counts for nothing, in turns. */
export async function warmUp(services: readonly Server[], load: PairLoad): Promise<void> {
  for (const service of [...services, ...services])
    await closedLoop(service.url, load.scenarios, load.connections, load.seconds / 2);
}
