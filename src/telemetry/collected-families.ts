import type { MetricFamily } from './metric-family.js';

const TIMEOUT_MS = 1_000;

/** Asks another process of the service for its metrics. */
export class CollectedFamilies {
  readonly #waiting = new Map<number, (families: readonly MetricFamily[]) => void>();
  #last = 0;

  /** `ask` sends the request with an id; `receive` has to be called with the response. None if that takes too long. */
  async collect(ask: (id: number) => void): Promise<readonly MetricFamily[]> {
    const id = ++this.#last;
    const { promise, resolve } = Promise.withResolvers<readonly MetricFamily[]>();
    this.#waiting.set(id, resolve);
    const timer = setTimeout(() => resolve([]), TIMEOUT_MS);
    ask(id);
    const families = await promise;
    clearTimeout(timer);
    this.#waiting.delete(id);
    return families;
  }

  receive(id: number, families: readonly MetricFamily[]): void {
    this.#waiting.get(id)?.(families);
  }
}
