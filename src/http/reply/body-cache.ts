import { LRUCache } from 'lru-cache';
import type { PreparedBody } from './prepared-body.js';

const MAX_CACHE_BYTES = 128 * 1024 * 1024;
const MAX_KEY_CHARACTERS = 2048;

/** Caches responses by key. The owner clears the cache when the responses would change. */
export class BodyCache {
  readonly #responses = new LRUCache<string, PreparedBody>({
    maxSize: MAX_CACHE_BYTES,
    sizeCalculation: (response, key) => response.size * 2 + key.length,
  });

  /** Returns the response cached under `key`. If there is none, caches and returns the result of `prepare`. */
  of(key: string, prepare: () => PreparedBody): PreparedBody {
    const cached = this.#responses.get(key);
    if (cached) return cached;
    const response = prepare();
    if (key.length <= MAX_KEY_CHARACTERS) this.#responses.set(key, response);
    return response;
  }

  clear(): void {
    this.#responses.clear();
  }
}
