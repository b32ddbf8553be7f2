import { LRUCache } from 'lru-cache';
import type { PreparedAnswer } from './prepared-answer.js';

const MOST_BYTES = 128 * 1024 * 1024;
const LONGEST_KEY = 2048;

/** Prepared answers by what was asked for, until whoever owns the cache says that they are out of date. */
export class AnswerCache {
  readonly #answers = new LRUCache<string, PreparedAnswer>({
    maxSize: MOST_BYTES,
    sizeCalculation: (answer, key) => answer.size * 2 + key.length,
  });

  /** The answer kept under `key`, else the one that `prepare` makes. */
  of(key: string, prepare: () => PreparedAnswer): PreparedAnswer {
    const known = this.#answers.get(key);
    if (known) return known;
    const answer = prepare();
    if (key.length <= LONGEST_KEY) this.#answers.set(key, answer);
    return answer;
  }

  clear(): void {
    this.#answers.clear();
  }
}
