import { closedLoop } from '../load.js';
import { cpuOf, cpuOfPostgres, type Server } from '../processes.js';
import type { Scenario } from '../scenarios.js';

/** The load of each run of a pair. */
export interface PairLoad {
  readonly scenarios: readonly Scenario[];
  readonly connections: number;
  readonly seconds: number;
}

/** A service, and the postmaster of the database that only this service uses. */
export interface MeasuredService extends Server {
  readonly postmaster?: number;
}

/** CPU microseconds per request. */
export interface PairCost {
  readonly service: number;
  /** 0 if the service has no database of its own. */
  readonly postgres: number;
}

/**
 * CPU microseconds per request of two services. Four runs: first, second, second, first, or the reverse in every other
 * pair, so that drift affects both services equally. The CPU of a service is measured over the whole pair and all
 * threads, because it may also work after its runs.
 */
export async function measurePair(
  first: MeasuredService,
  second: MeasuredService,
  { scenarios, connections, seconds }: PairLoad,
  isReversed: boolean,
): Promise<readonly [first: PairCost, second: PairCost]> {
  const cpuOfBoth = (): PairCost[] =>
    [first, second].map(({ pid, postmaster }) => ({
      service: cpuOf(pid),
      postgres: postmaster === undefined ? 0 : cpuOfPostgres(postmaster),
    }));
  const before = cpuOfBoth();
  const requests = new Map([first, second].map((service) => [service, 0]));
  for (const service of isReversed ? [second, first, first, second] : [first, second, second, first]) {
    const run = await closedLoop(service.url, scenarios, connections, seconds);
    requests.set(service, requests.get(service)! + run.requests);
  }
  const after = cpuOfBoth();
  const costOf = (index: number, service: MeasuredService): PairCost => ({
    service: (after[index]!.service - before[index]!.service) / requests.get(service)!,
    postgres: (after[index]!.postgres - before[index]!.postgres) / requests.get(service)!,
  });
  return [costOf(0, first), costOf(1, second)];
}

/** Sends load that is not measured, alternating between the services. */
export async function warmUp(services: readonly Server[], load: PairLoad): Promise<void> {
  for (const service of [...services, ...services])
    await closedLoop(service.url, load.scenarios, load.connections, load.seconds / 2);
}
