import { LRUCache } from 'lru-cache';
import { atMostEntries } from '../../kernel/cache-options.js';
import { CallCounters, type ConcurrentPlace } from '../call-counters.port.js';
import { pointsOf, WINDOW_MS, type CallLimit, type CountOutcome, type LimitState } from '../call-limit.js';

/** Maximum number of windows. If there are more, the least recently used windows are dropped. */
const MAX_WINDOWS = 100_000;

interface Window {
  used: number;
  /** On the clock of performance.now(). */
  endsAt: number;
}

/** Counts in this process. */
export class MemoryCallCounters extends CallCounters {
  readonly #windows = new LRUCache<string, Window>(atMostEntries(MAX_WINDOWS));
  /** For each key, the ends of the leases by the id of the call, on the clock of performance.now(). */
  readonly #places = new Map<string, Map<string, number>>();

  constructor(private readonly leaseMs: number) {
    super();
  }

  async take(callId: string, limits: readonly CallLimit[]): Promise<CountOutcome> {
    const states = limits.map((limit) => this.#stateOf(limit));
    const full = limits.findIndex((limit, index) => states[index]!.used + pointsOf(limit) > limit.max);
    if (full !== -1) return { full, states };
    this.record(callId, limits);
    return { full: null, states: limits.map((limit) => this.#stateOf(limit)) };
  }

  /** Counts a call without checking its limits, for example because another process has admitted it. */
  record(callId: string, limits: readonly CallLimit[]): void {
    for (const limit of limits)
      if (limit.kind === 'concurrent') this.#hold({ key: limit.key, callId });
      else this.#count(limit);
  }

  async add(limits: readonly CallLimit[]): Promise<void> {
    for (const limit of limits) this.#count(limit);
  }

  async renew(places: readonly ConcurrentPlace[]): Promise<void> {
    for (const place of places) this.#hold(place);
  }

  async release(places: readonly ConcurrentPlace[]): Promise<void> {
    for (const { key, callId } of places) {
      const calls = this.#places.get(key);
      calls?.delete(callId);
      if (calls?.size === 0) this.#places.delete(key);
    }
  }

  #stateOf(limit: CallLimit): LimitState {
    const now = performance.now();
    if (limit.kind === 'concurrent') return { used: this.#live(limit.key, now), resetInMs: this.leaseMs };
    const window = this.#windowOf(limit, now);
    return window
      ? { used: window.used, resetInMs: Math.ceil(window.endsAt - now) }
      : { used: 0, resetInMs: WINDOW_MS[limit.kind] };
  }

  #count(limit: CallLimit): void {
    if (limit.kind === 'concurrent') return;
    const now = performance.now();
    const endsAt = now + WINDOW_MS[limit.kind];
    const window = this.#windowOf(limit, now);
    if (!window) this.#windows.set(nameOf(limit), { used: Math.max(0, pointsOf(limit)), endsAt });
    else {
      window.used = Math.max(0, window.used + pointsOf(limit));
      if (limit.kind === 'session') window.endsAt = endsAt;
    }
  }

  #windowOf(limit: CallLimit, now: number): Window | undefined {
    const window = this.#windows.get(nameOf(limit));
    return window && window.endsAt > now ? window : undefined;
  }

  #hold({ key, callId }: ConcurrentPlace): void {
    const calls = this.#places.get(key) ?? new Map<string, number>();
    calls.set(callId, performance.now() + this.leaseMs);
    this.#places.set(key, calls);
  }

  /** The number of calls whose lease has not ended. Drops all other calls. */
  #live(key: string, now: number): number {
    const calls = this.#places.get(key);
    if (!calls) return 0;
    for (const [callId, endsAt] of calls) if (endsAt <= now) calls.delete(callId);
    if (calls.size === 0) this.#places.delete(key);
    return calls.size;
  }
}

const nameOf = ({ kind, key }: CallLimit): string => `${kind}:${key}`;
