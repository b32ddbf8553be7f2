import { isPassing } from '../persistently.js';

interface Waiting<Item, Outcome> {
  readonly item: Item;
  readonly resolve: (outcome: Outcome) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Gathers what arrives while the previous flush is under way and sends it as one batch. With nobody waiting an item
 * leaves at once, so an idle service adds no delay. When a batch fails, its items are tried one by one:
 * the error of one never fails its neighbours.
 */
export class GroupCommit<Item, Outcome> {
  #queue: Waiting<Item, Outcome>[] = [];
  #flushing: Promise<void> | undefined;

  constructor(
    private readonly flush: (items: readonly Item[]) => Promise<readonly Outcome[]>,
    private readonly maxBatch = 256,
  ) {}

  submit(item: Item): Promise<Outcome> {
    return new Promise<Outcome>((resolve, reject) => {
      this.#queue.push({ item, resolve, reject });
      this.#flushing ??= this.#run();
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
      const batch = this.#queue.splice(0, this.maxBatch);
      await this.#send(batch);
    }
    this.#flushing = undefined;
  }

  async #send(batch: readonly Waiting<Item, Outcome>[]): Promise<void> {
    try {
      const outcomes = await this.flush(batch.map((waiting) => waiting.item));
      if (outcomes.length !== batch.length) throw new Error(`a batch of ${batch.length} came back as ${outcomes.length}`);
      batch.forEach((waiting, index) => waiting.resolve(outcomes[index]!));
    } catch (error) {
      // While the database is away each item would wait for it in turn: whoever asked tries again by itself.
      if (batch.length === 1 || isPassing(error)) return batch.forEach((waiting) => waiting.reject(error));
      for (const waiting of batch) await this.#send([waiting]);
    }
  }
}
