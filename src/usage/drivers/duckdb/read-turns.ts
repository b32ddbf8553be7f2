import { setTimeout as sleep } from 'node:timers/promises';
import { Turns } from '../../query/turns.js';

/** In lengths of the work before it. */
const REST = 2;
const LONGEST_REST_MS = 100;
/** A settled call is to be seen within 2 s, whatever is being read. */
const LONGEST_WAIT_MS = 500;

/**
 * Shares the processors out between analytics and calls. While calls come in, reads go one after the other, what is recorded is taken
 * in between them, and one processor is left free: with all of them taken, even at the lowest priority, calls answer several times
 * later. At other times reads take what there is.
 */
export class ReadTurns {
  /** One reader at a time, its rest included. */
  readonly #alone = new Turns(1);
  /** One at work at a time, whoever it is. */
  readonly #atWork = new Turns(1);
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
          let worked = 0;
          const read = async (): Promise<T> => {
            const began = performance.now();
            return this.#with(this.sparing, work).finally(() => (worked = performance.now() - began));
          };
          await this.#atWork.run(read, signal).then(resolve, reject);
          await sleep(Math.min(REST * worked, LONGEST_REST_MS));
        }, signal)
        .catch(reject);
    });
  }

  /** Takes in what was recorded: when no read is at work, or else after a while all the same. */
  async write(calls: boolean, work: () => Promise<void>): Promise<void> {
    if (!calls) return work();
    const patience = AbortSignal.timeout(LONGEST_WAIT_MS);
    let begun = false;
    const begin = (): Promise<void> => ((begun = true), work());
    await this.#atWork.run(begin, patience).catch((error: unknown) => {
      if (begun) throw error;
      return work();
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
