import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Config } from '../config/config.js';
import { newId } from '../kernel/ids.js';
import { Periodic } from '../kernel/scheduling/periodic.js';
import { CallCounters, type ConcurrentPlace } from './call-counters.port.js';
import type { CallLimit, LimitState } from './call-limit.js';

/** A limit that refused a call, and its state. */
interface FullLimit {
  readonly limit: CallLimit;
  readonly state: LimitState;
}

/** The number of renewals per lease, so that two may fail before the lease ends. */
const RENEWALS_PER_LEASE = 3;

/** Admits or refuses calls by their call limits. Renews the leases of concurrent calls until they are released. */
@Injectable()
export class CallLimiter implements OnApplicationShutdown {
  /** The leases of the calls that are open in this process. */
  readonly #places = new Set<ConcurrentPlace>();
  readonly #renewals = new Periodic(
    async () => {
      if (this.#places.size > 0) await this.counters.renew([...this.#places]);
    },
    // The counters never reject.
    () => undefined,
  );

  constructor(
    private readonly counters: CallCounters,
    { values }: Config,
  ) {
    this.#renewals.start(values.RESERVATION_LEASE_MS / RENEWALS_PER_LEASE);
  }

  /** Counts a call against all limits. If a limit is full, counts nothing and returns the first full limit. */
  async take(limits: readonly CallLimit[]): Promise<AdmittedCall | FullLimit> {
    const callId = newId();
    const { full, states } = await this.counters.take(callId, limits);
    if (full !== null) return { limit: limits[full]!, state: states[full]! };
    const places = limits.filter(({ kind }) => kind === 'concurrent').map(({ key }) => ({ key, callId }));
    for (const place of places) this.#places.add(place);
    return new AdmittedCall(this.counters, limits, states, () => this.#release(places));
  }

  onApplicationShutdown(): Promise<void> {
    return this.#renewals.stop();
  }

  #release(places: readonly ConcurrentPlace[]): void {
    if (places.length === 0) return;
    for (const place of places) this.#places.delete(place);
    void this.counters.release(places);
  }
}

/** A call that its limits admitted. Release it when it has ended. */
export class AdmittedCall {
  readonly #admittedAt = performance.now();
  #released = false;

  constructor(
    private readonly counters: CallCounters,
    readonly limits: readonly CallLimit[],
    /** In the order of the limits. */
    readonly states: readonly LimitState[],
    private readonly free: () => void,
  ) {}

  /**
   * Adds tokens to the counts once their number is known. A negative number reduces a count, unless the window of the
   * count has ended.
   */
  addTokens(tokens: number): void {
    const elapsedMs = performance.now() - this.#admittedAt;
    const counting = this.limits.filter(
      ({ kind }, index) => kind === 'tokens' && (tokens > 0 || elapsedMs < this.states[index]!.resetInMs),
    );
    if (tokens === 0 || counting.length === 0) return;
    void this.counters.add(counting.map((limit) => ({ ...limit, points: tokens })));
  }

  /** Ends the leases of the call. Repeated calls of this method have no effect. */
  release(): void {
    if (this.#released) return;
    this.#released = true;
    this.free();
  }
}
