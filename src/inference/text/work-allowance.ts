import type { Clock } from '../../kernel/clock.js';

const MINUTE_MS = 60_000;
/** Maximum number of keys to remember. */
const MAX_KEYS = 10_000;

interface Level {
  /** The work that has not drained at the time `at`, in milliseconds. */
  readonly usedMs: number;
  readonly at: number;
}

/**
 * A leaky bucket of CPU time for each key, in this process. Work is added after it is done, so one piece of work may
 * exceed the allowance. The key then waits proportionally longer.
 */
export class WorkAllowance {
  /** Ordered by the last work of the key, oldest first. */
  readonly #levels = new Map<number, Level>();

  constructor(
    private readonly msPerMinute: number,
    private readonly clock: Clock,
  ) {}

  /** Milliseconds until the key may start further work; 0 = now. */
  waitMs(keyNo: number): number {
    const excess = this.#usedMs(keyNo) - this.msPerMinute;
    return excess < 0 ? 0 : Math.max(1, (excess * MINUTE_MS) / this.msPerMinute);
  }

  add(keyNo: number, workMs: number): void {
    const usedMs = this.#usedMs(keyNo) + workMs;
    this.#levels.delete(keyNo);
    this.#levels.set(keyNo, { usedMs, at: this.clock.now().getTime() });
    if (this.#levels.size > MAX_KEYS) this.#levels.delete(this.#levels.keys().next().value!);
  }

  #usedMs(keyNo: number): number {
    const level = this.#levels.get(keyNo);
    if (!level) return 0;
    const drained = ((this.clock.now().getTime() - level.at) * this.msPerMinute) / MINUTE_MS;
    return Math.max(0, level.usedMs - drained);
  }
}
