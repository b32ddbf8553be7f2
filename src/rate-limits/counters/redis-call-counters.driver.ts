import { CallCounters, type ConcurrentPlace } from '../call-counters.port.js';
import { pointsOf, WINDOW_MS, type CallLimit, type CountOutcome } from '../call-limit.js';
import { MemoryCallCounters } from './memory-call-counters.driver.js';
import { ADD, RELEASE, RENEW, TAKE } from './redis-call-scripts.js';
import type { RedisConnection } from './redis-connection.driver.js';

/** Maximum number of leases that one script renews, so that Redis is not blocked for long. */
const MAX_PLACES_AT_ONCE = 1_000;

type Script = 'takeCall' | 'addToLimits' | 'renewPlaces' | 'releasePlaces';
type RunScript = (keys: number, ...parts: (string | number)[]) => Promise<unknown>;

/**
 * Counts in Redis, shared by all replicas. Admitted calls are also counted in this process, so that limits continue
 * from the counts of this process if Redis becomes unavailable.
 */
export class RedisCallCounters extends CallCounters {
  readonly #local: MemoryCallCounters;

  constructor(
    private readonly redis: RedisConnection,
    private readonly leaseMs: number,
  ) {
    super();
    this.#local = new MemoryCallCounters(leaseMs);
    const { client } = redis;
    client.defineCommand('takeCall', { lua: TAKE });
    client.defineCommand('addToLimits', { lua: ADD });
    client.defineCommand('renewPlaces', { lua: RENEW });
    client.defineCommand('releasePlaces', { lua: RELEASE });
  }

  async take(callId: string, limits: readonly CallLimit[]): Promise<CountOutcome> {
    const terms = limits.flatMap((limit) => [limit.kind, limit.max, pointsOf(limit), windowOf(limit)]);
    const counted = await this.#run('takeCall', limits.map(nameOf), [callId, this.leaseMs, ...terms]);
    if (!counted) return this.#local.take(callId, limits);
    const [full, ...numbers] = counted as [number, ...number[]];
    const states = limits.map((_, index) => ({ used: numbers[2 * index]!, resetInMs: numbers[2 * index + 1]! }));
    if (full > 0) return { full: full - 1, states };
    this.#local.record(callId, limits);
    return { full: null, states };
  }

  async add(limits: readonly CallLimit[]): Promise<void> {
    await this.#local.add(limits);
    const terms = limits.flatMap((limit) => [pointsOf(limit), windowOf(limit)]);
    await this.#run('addToLimits', limits.map(nameOf), terms);
  }

  async renew(places: readonly ConcurrentPlace[]): Promise<void> {
    await this.#local.renew(places);
    for (let from = 0; from < places.length; from += MAX_PLACES_AT_ONCE) {
      const some = places.slice(from, from + MAX_PLACES_AT_ONCE);
      await this.#run('renewPlaces', some.map(nameOfPlace), [this.leaseMs, ...some.map(({ callId }) => callId)]);
    }
  }

  async release(places: readonly ConcurrentPlace[]): Promise<void> {
    await this.#local.release(places);
    await this.#run(
      'releasePlaces',
      places.map(nameOfPlace),
      places.map(({ callId }) => callId),
    );
  }

  #run(script: Script, keys: string[], parts: (string | number)[]): Promise<unknown> {
    const { client } = this.redis;
    // ioredis adds a method for each command that is defined.
    const run = (client as unknown as Record<Script, RunScript>)[script];
    return this.redis.run(async () => (await run.call(client, keys.length, ...keys, ...parts)) ?? true);
  }
}

/** One hash tag, so that a Cluster keeps all limits of a call in one slot, because one script changes them together. */
const nameOf = ({ kind, key }: Pick<CallLimit, 'kind' | 'key'>): string => `gatehouse:{calls}:${kind}:${key}`;
const nameOfPlace = ({ key }: ConcurrentPlace): string => nameOf({ kind: 'concurrent', key });
const windowOf = ({ kind }: CallLimit): number => (kind === 'concurrent' ? 0 : WINDOW_MS[kind]);
