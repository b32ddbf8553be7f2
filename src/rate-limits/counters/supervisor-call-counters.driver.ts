import type { LocalClient } from '../../kernel/processes/local-client.driver.js';
import { CallCounters, type CallCountRequest, type ConcurrentPlace } from '../call-counters.port.js';
import type { CallLimit, CountOutcome } from '../call-limit.js';
import { MemoryCallCounters } from './memory-call-counters.driver.js';

/** Timeout of a request to the supervisor. After a timeout, the worker uses its own counts. */
const TIMEOUT_MS = 2_000;

/**
 * Counts in the supervisor of this worker. While the supervisor is unavailable, continues in this process, from the
 * counts of this worker.
 */
export class SupervisorCallCounters extends CallCounters {
  readonly #own: MemoryCallCounters;

  constructor(
    private readonly supervisor: LocalClient,
    leaseMs: number,
  ) {
    super();
    this.#own = new MemoryCallCounters(leaseMs);
  }

  async take(callId: string, limits: readonly CallLimit[]): Promise<CountOutcome> {
    const outcome = (await this.#ask({ op: 'take', callId, limits })) as CountOutcome | undefined;
    if (!outcome) return this.#own.take(callId, limits);
    if (outcome.full === null) this.#own.record(callId, limits);
    return outcome;
  }

  async add(limits: readonly CallLimit[]): Promise<void> {
    await this.#own.add(limits);
    await this.#ask({ op: 'add', limits });
  }

  async renew(places: readonly ConcurrentPlace[]): Promise<void> {
    await this.#own.renew(places);
    await this.#ask({ op: 'renew', places });
  }

  async release(places: readonly ConcurrentPlace[]): Promise<void> {
    await this.#own.release(places);
    await this.#ask({ op: 'release', places });
  }

  /** Undefined if the supervisor is unavailable. */
  #ask(request: CallCountRequest): Promise<unknown> {
    return this.supervisor.request({ call: request }, TIMEOUT_MS).catch(() => undefined);
  }
}
