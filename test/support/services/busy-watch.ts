import { setTimeout as sleep } from 'node:timers/promises';

const EVERY_MS = 50;

/**
 * Requests /healthz repeatedly. That route does no work, so its slowest response shows how much of a measured time is
 * caused by a busy machine.
 */
export class BusyWatch {
  #slowestMs = 0;
  #isRunning = true;
  readonly #work: Promise<void>;

  constructor(origin: string) {
    this.#work = this.#watch(origin);
  }

  /** The slowest response, in milliseconds. */
  async stop(): Promise<number> {
    this.#isRunning = false;
    await this.#work;
    return this.#slowestMs;
  }

  async #watch(origin: string): Promise<void> {
    while (this.#isRunning) {
      const since = performance.now();
      await fetch(`${origin}/healthz`).then((response) => response.arrayBuffer());
      this.#slowestMs = Math.max(this.#slowestMs, performance.now() - since);
      await sleep(EVERY_MS);
    }
  }
}
