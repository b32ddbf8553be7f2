import { setTimeout as sleep } from 'node:timers/promises';
import { Turns } from '../../query/turns.js';

/** In lengths of the work before it. */
const REST = 2;
const LONGEST_REST_MS = 100;

/**
 * Shares the processors out between analytics and calls. While calls come in, reads go one after the other and leave one processor
 * free: with all of them taken, even at the lowest priority, calls answer several times later. At other times reads take what there is.
 */
export class ReadTurns {
  readonly #alone = new Turns(1);
  #threads: number;

  constructor(
    private readonly most: number,
    private readonly sparing: number,
    private readonly setThreads: (threads: number) => Promise<void>,
  ) {
    this.#threads = most;
  }

  /** `calls`: whether calls come in just now. */
  async run<T>(calls: boolean, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (!calls) return this.#with(this.most, work);
    return new Promise<T>((resolve, reject) => {
      this.#alone
        .run(async () => {
          const began = performance.now();
          await this.#with(this.sparing, work).then(resolve, reject);
          await sleep(Math.min(REST * (performance.now() - began), LONGEST_REST_MS));
        }, signal)
        .catch(reject);
    });
  }

  async #with<T>(threads: number, work: () => Promise<T>): Promise<T> {
    if (this.#threads !== threads) {
      this.#threads = threads;
      await this.setThreads(threads);
    }
    return work();
  }
}
