import { setTimeout as sleep } from 'node:timers/promises';
import { Semaphore } from '../../../kernel/scheduling/semaphore.js';

/** The pause after a read, as a multiple of the duration of the read. */
const PAUSE_FACTOR = 2;
const MAX_PAUSE_MS = 100;
/** A settled call must be visible within 2 s, even while reads are running. */
const MAX_WRITE_WAIT_MS = 500;

/**
 * Shares the processors between analytics and inference. While calls arrive, reads run one at a time with a pause after
 * each, and recorded usage is stored between two reads. One processor is left free, because reads on all processors
 * multiply the latency of calls, even at the lowest priority. At other times reads run in parallel on all threads.
 */
export class ReadSchedule {
  /** Held by one reader during its read and the pause after it. */
  readonly #reader = new Semaphore(1);
  /** Held while the store works for a reader or the writer. */
  readonly #store = new Semaphore(1);
  #threads: number;

  constructor(
    private readonly maxThreads: number,
    private readonly reducedThreads: number,
    private readonly setThreads: (threads: number) => Promise<void>,
  ) {
    this.#threads = maxThreads;
  }

  /** Runs a read. `hasCalls`: whether calls arrive at present. Resolves when the read has ended, before the pause. */
  async run<T>(hasCalls: boolean, work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    if (!hasCalls) return this.#with(this.maxThreads, work);
    const { promise, resolve, reject } = Promise.withResolvers<T>();
    const readThenPause = async (): Promise<void> => {
      let durationMs = 0;
      const read = async (): Promise<T> => {
        const startedAt = performance.now();
        return this.#with(this.reducedThreads, work).finally(() => (durationMs = performance.now() - startedAt));
      };
      await this.#store.run(signal, read).then(resolve, reject);
      await sleep(Math.min(PAUSE_FACTOR * durationMs, MAX_PAUSE_MS));
    };
    this.#reader.run(signal, readThenPause).catch(reject);
    return promise;
  }

  /** Stores recorded usage between two reads. After MAX_WRITE_WAIT_MS, stores it even while a read is running. */
  async write(hasCalls: boolean, work: () => Promise<void>): Promise<void> {
    if (!hasCalls) return work();
    let hasBegun = false;
    const begin = (): Promise<void> => ((hasBegun = true), work());
    await this.#store.run(AbortSignal.timeout(MAX_WRITE_WAIT_MS), begin).catch((error: unknown) => {
      if (hasBegun) throw error;
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
