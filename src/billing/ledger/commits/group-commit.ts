import { isDatabaseUnavailable } from '../../../database/database-faults.js';

interface QueuedItem<Item, Outcome> {
  readonly item: Item;
  /** When the caller stops waiting for the result, on the clock of performance.now(). */
  readonly until: number;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/** Sends a batch. `timeoutMs`: the time until the first of its callers stops waiting. */
type Flush<Item, Outcome> = (items: readonly Item[], timeoutMs: number) => Promise<readonly Outcome[]>;

/**
 * After a batch of at least this size, more items are likely. A short wait for them then saves more time than it takes
 * (docs/performance.md).
 */
const BATCH_THRESHOLD = 4;
const GROWTH = 2;
const MAX_WAIT_MS = 1;

/**
 * Collects items while the previous flush is running and sends them as one batch. If no flush is running, an item is
 * sent in the next turn of the event loop, so an idle service adds no delay. After a batch of BATCH_THRESHOLD items or
 * more, the next batch waits until it has twice as many items, but at most `maxWaitMs`. If a batch fails, its items are
 * sent one by one, so that the error of one item fails no other item.
 */
export class GroupCommit<Item, Outcome> {
  #queue: QueuedItem<Item, Outcome>[] = [];
  #flushing: Promise<void> | undefined;
  /** The size that the next batch waits for; 0 = no wait. */
  #expected = 0;
  #onExpected: (() => void) | undefined;

  constructor(
    private readonly flush: Flush<Item, Outcome>,
    /** Receives the size of each batch that was sent, and the seconds that it took. */
    private readonly onBatch: (size: number, seconds: number) => void = () => undefined,
    private readonly maxBatch = 256,
    private readonly maxWaitMs = MAX_WAIT_MS,
  ) {}

  submit(item: Item, until = Infinity): Promise<Outcome> {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome>();
    this.#queue.push({ item, until, resolve, reject });
    this.#flushing ??= this.#run();
    if (this.#queue.length >= this.#expected) this.#onExpected?.();
    return promise;
  }

  /** Resolves when no item is queued or being sent. */
  async idle(): Promise<void> {
    while (this.#flushing) await this.#flushing;
  }

  async #run(): Promise<void> {
    // Wait one turn of the event loop, so that requests that arrived together share a batch.
    await new Promise<void>((next) => setImmediate(next));
    while (this.#queue.length > 0) {
      if (this.#queue.length < this.#expected) await this.#gather();
      const batch = this.#queue.splice(0, this.maxBatch);
      this.#expected = batch.length >= BATCH_THRESHOLD ? Math.min(batch.length * GROWTH, this.maxBatch) : 0;
      await this.#send(batch);
    }
    this.#flushing = undefined;
  }

  #gather(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#onExpected?.(), this.maxWaitMs);
      this.#onExpected = () => {
        clearTimeout(timer);
        this.#onExpected = undefined;
        resolve();
      };
    });
  }

  async #send(batch: readonly QueuedItem<Item, Outcome>[]): Promise<void> {
    try {
      const until = batch.reduce((soonest, queued) => Math.min(soonest, queued.until), Infinity);
      const startedAt = performance.now();
      const outcomes = await this.flush(
        batch.map((queued) => queued.item),
        until - startedAt,
      );
      this.onBatch(batch.length, (performance.now() - startedAt) / 1000);
      if (outcomes.length !== batch.length)
        throw new Error(`a batch of ${batch.length} items returned ${outcomes.length} outcomes`);
      batch.forEach((queued, index) => queued.resolve(outcomes[index]!));
    } catch (error) {
      // While the database is unavailable, do not retry the items one by one, because each item would wait for the
      // database. The callers retry.
      if (batch.length === 1 || isDatabaseUnavailable(error)) return batch.forEach((queued) => queued.reject(error));
      for (const queued of batch) await this.#send([queued]);
    }
  }
}
