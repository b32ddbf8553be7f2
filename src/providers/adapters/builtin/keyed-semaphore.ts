import { Semaphore } from '../../../kernel/scheduling/semaphore.js';

/** Runs one piece of work at a time for each key; other keys are not delayed. Keeps no state for idle keys. */
export class KeyedSemaphore {
  readonly #entries = new Map<string, { readonly semaphore: Semaphore; users: number }>();

  /** Rejects with the signal's reason if the signal is aborted before the work begins. */
  async run<T>(key: string, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
    const entry = this.#entries.get(key) ?? { semaphore: new Semaphore(1), users: 0 };
    this.#entries.set(key, entry);
    entry.users++;
    try {
      return await entry.semaphore.run(signal, work);
    } finally {
      if (--entry.users === 0) this.#entries.delete(key);
    }
  }

  /** Number of keys with running or waiting work. */
  get size(): number {
    return this.#entries.size;
  }
}
