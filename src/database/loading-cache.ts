import type { Notifications } from './notifications.js';

/** The storage of a LoadingCache, such as an LRUCache. `undefined` = not cached. */
export interface CacheStore<Value> {
  get(key: string): Value | undefined;
  set(key: string, value: Value): void;
  delete(key: string): void;
  clear(): void;
}

/**
 * A read-through cache of rows: concurrent reads of one key share a query. A value that is invalidated while it is read
 * is returned to the waiting callers but not cached, because it may be outdated.
 */
export class LoadingCache<Value> {
  readonly #loads = new Map<string, Promise<Value>>();

  constructor(
    private readonly store: CacheStore<Value>,
    private readonly read: (key: string) => Promise<Value>,
  ) {}

  /**
   * Invalidates a key when a notification of the channel names it, and every key when notifications may have been lost.
   */
  invalidateOn(notifications: Notifications, channel: string): this {
    notifications.on(channel, (key) => this.delete(key));
    notifications.onGap(() => this.clear());
    return this;
  }

  get isLoading(): boolean {
    return this.#loads.size > 0;
  }

  /** The cached value, or undefined. */
  cached(key: string): Value | undefined {
    return this.store.get(key);
  }

  /** Returns synchronously if the value is cached. */
  get(key: string): Value | Promise<Value> {
    const cached = this.store.get(key);
    return cached === undefined ? this.load(key) : cached;
  }

  /**
   * Reads the value even if it is cached, or joins a read in progress. `read` is used instead of the constructor's
   * function.
   */
  load(key: string, read = this.read): Promise<Value> {
    const underWay = this.#loads.get(key);
    if (underWay) return underWay;
    const load = read(key)
      .then((value) => {
        if (this.#loads.get(key) === load) this.store.set(key, value);
        return value;
      })
      .finally(() => {
        if (this.#loads.get(key) === load) this.#loads.delete(key);
      });
    this.#loads.set(key, load);
    return load;
  }

  delete(key: string): void {
    this.store.delete(key);
    this.#loads.delete(key);
  }

  clear(): void {
    this.store.clear();
    this.#loads.clear();
  }
}
