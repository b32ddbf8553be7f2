/**
 * Calls that wait to be started, in a queue for each key. The keys take turns. `start` returns whether the call
 * started.
 */
export class WaitingCalls {
  readonly #queues = new Map<string, (() => boolean)[]>();
  #size = 0;

  get size(): number {
    return this.#size;
  }

  /** Number of keys with a waiting call. */
  get keys(): number {
    return this.#queues.size;
  }

  of(key: string): number {
    return this.#queues.get(key)?.length ?? 0;
  }

  add(key: string, start: () => boolean): void {
    const queue = this.#queues.get(key);
    if (queue) queue.push(start);
    else this.#queues.set(key, [start]);
    this.#size++;
  }

  /** Removes the oldest call of the next key. Returns its `start`; undefined if no call waits. */
  take(): (() => boolean) | undefined {
    for (const [key, queue] of this.#queues) {
      const start = queue.shift();
      // The key goes to the end of the order.
      this.#queues.delete(key);
      if (queue.length > 0) this.#queues.set(key, queue);
      this.#size--;
      return start;
    }
    return undefined;
  }
}
