/** Limits how many pieces of work run at once; the others wait in the order of their arrival. */
export class Semaphore {
  readonly #waiting: (() => void)[] = [];
  #free: number;

  constructor(permits: number) {
    this.#free = permits;
  }

  /** Runs `work` once a permit is free. Rejects with the signal's reason if the signal is aborted before that. */
  async run<T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    await this.#acquire(signal);
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#free++;
    }
  }

  async #acquire(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    if (this.#free > 0) {
      this.#free--;
      return;
    }
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const onAbort = (): void => {
      this.#waiting.splice(this.#waiting.indexOf(enter), 1);
      reject(signal.reason as Error);
    };
    const enter = (): void => {
      signal.removeEventListener('abort', onAbort);
      resolve();
    };
    this.#waiting.push(enter);
    signal.addEventListener('abort', onAbort, { once: true });
    await promise;
  }
}
