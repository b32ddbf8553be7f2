/**
 * Counts the working time of a turn, without the time in which it waits for answers. Calls `onExpiry` when the time is
 * used up.
 */
export class ActiveClock {
  readonly #onExpiry: () => void;
  #leftMs: number;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;

  constructor(limitMs: number, onExpiry: () => void) {
    this.#leftMs = limitMs;
    this.#onExpiry = onExpiry;
  }

  resume(): void {
    this.#since = performance.now();
    this.#timer = setTimeout(this.#onExpiry, Math.max(this.#leftMs, 0));
  }

  pause(): void {
    clearTimeout(this.#timer);
    this.#leftMs -= performance.now() - this.#since;
  }
}
