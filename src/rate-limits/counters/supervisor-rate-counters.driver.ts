import type { LocalClient } from '../../kernel/processes/local-client.driver.js';
import { RateCounters, type CountRequest, type RateCount, type RateRule } from '../rate-counters.port.js';
import { MemoryRateCounters } from './memory-rate-counters.driver.js';

/** Timeout of a request to the supervisor. After a timeout, the worker uses its own counts. */
const TIMEOUT_MS = 2_000;

/** Counts in the supervisor of this worker. While the supervisor is unavailable, counts in this process. */
export class SupervisorRateCounters extends RateCounters {
  readonly #own = new MemoryRateCounters();

  constructor(private readonly supervisor: LocalClient) {
    super();
  }

  count(rule: RateRule, who: string): Promise<RateCount> {
    const request: CountRequest = { rule, who };
    return this.supervisor.request(request, TIMEOUT_MS).catch(() => this.#own.count(rule, who)) as Promise<RateCount>;
  }
}
