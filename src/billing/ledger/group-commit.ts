import { isPassing } from '../persistently.js';

interface Waiting<Item, Outcome> {
  readonly item: Item;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/** A batch of so many tells that more are on their way. What a batch costs by itself is then worth a short wait (docs/performance.md). */
const CROWD = 4;
const GROWTH = 2;
const LONGEST_WAIT_MS = 1;

/**
 * Gathers what arrives while the previous flush is under way and sends it as one batch. With nobody waiting an item
 * leaves at once, so an idle service adds no delay; in a crowd a batch waits a little for twice as many as were in the one before.
 * When a batch fails, its items are tried one by one: the error of one never fails its neighbours.
 */
export class GroupCommit<Item, Outcome> {
  #queue: Waiting<Item, Outcome>[] = [];
  #flushing: Promise<void> | undefined;
  /** How many the next batch waits for; 0 = nobody. */
  #expected = 0;
  #onExpected: (() => void) | undefined;

  constructor(
    private readonly flush: (items: readonly Item[]) => Promise<readonly Outcome[]>,
    private readonly maxBatch = 256,
    private readonly longestWaitMs = LONGEST_WAIT_MS,
  ) {}

  submit(item: Item): Promise<Outcome> {
    return new Promise<Outcome>((resolve, reject) => {
      this.#queue.push({ item, resolve, reject });
      this.#flushing ??= this.#run();
      if (this.#queue.length >= this.#expected) this.#onExpected?.();
    });
  }

  /** Resolves when nothing is queued or under way. */
  async idle(): Promise<void> {
    while (this.#flushing) await this.#flushing;
  }

  async #run(): Promise<void> {
    // One turn of the loop lets requests that arrived together leave together.
    await new Promise<void>((next) => setImmediate(next));
    while (this.#queue.length > 0) {
      if (this.#queue.length < this.#expected) await this.#gather();
      const batch = this.#queue.splice(0, this.maxBatch);
      this.#expected = batch.length >= CROWD ? Math.min(batch.length * GROWTH, this.maxBatch) : 0;
      await this.#send(batch);
    }
    this.#flushing = undefined;
  }

  #gather(): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#onExpected?.(), this.longestWaitMs);
      this.#onExpected = () => {
        clearTimeout(timer);
        this.#onExpected = undefined;
        resolve();
      };
    });
  }

  async #send(batch: readonly Waiting<Item, Outcome>[]): Promise<void> {
    try {
      const outcomes = await this.flush(batch.map((waiting) => waiting.item));
      if (outcomes.length !== batch.length)
        throw new Error(`a batch of ${batch.length} came back as ${outcomes.length}`);
      batch.forEach((waiting, index) => waiting.resolve(outcomes[index]!));
    } catch (error) {
      // While the database is away each item would wait for it in turn: whoever asked tries again by itself.
      if (batch.length === 1 || isPassing(error)) return batch.forEach((waiting) => waiting.reject(error));
      for (const waiting of batch) await this.#send([waiting]);
    }
  }
}
