import type { CatalogueModel } from '../catalogue-model.js';
import { nameKey } from './model-name-index.js';

/** Maximum characters of an unknown name that are compared. */
const MAX_COMPARED_CHARACTERS = 100;
/** Added to the similarity, which is between 0 and 1, if the authors are equal. */
const SAME_AUTHOR = 0.25;

/**
 * Finds the names that are most similar to an unknown one, by their common pairs of letters (Dice's coefficient). The
 * constructor indexes the pairs of all models, so that a search needs only the pairs of the unknown name.
 */
export class NearestNames {
  /** For each pair of letters, the indexes in `models` of the models whose names contain it. */
  readonly #places = new Map<string, number[]>();
  readonly #pairs: readonly number[];
  readonly #authors: readonly string[];

  constructor(private readonly models: readonly CatalogueModel[]) {
    const keys = models.map(({ id }) => nameKey(id));
    this.#authors = keys.map(authorIn);
    this.#pairs = keys.map((key, place) => {
      const pairs = pairsOf(key);
      for (const pair of pairs) {
        const places = this.#places.get(pair);
        if (places) places.push(place);
        else this.#places.set(pair, [place]);
      }
      return pairs.size;
    });
  }

  /** The ids of at most `count` models that pass, most similar first. */
  of(name: string, count: number, passes: (model: CatalogueModel) => boolean): string[] {
    const key = nameKey(name.slice(0, MAX_COMPARED_CHARACTERS));
    const pairs = pairsOf(key);
    const shared = new Uint16Array(this.models.length);
    for (const pair of pairs) for (const place of this.#places.get(pair) ?? []) shared[place]! += 1;
    const author = authorIn(key);
    const nearest: { readonly id: string; readonly score: number }[] = [];
    for (const [place, model] of this.models.entries()) {
      const same = author !== '' && this.#authors[place] === author ? SAME_AUTHOR : 0;
      const score = (2 * shared[place]!) / (pairs.size + this.#pairs[place]!) + same;
      if (nearest.length === count && score <= nearest.at(-1)!.score) continue;
      if (!passes(model)) continue;
      nearest.push({ id: model.id, score });
      nearest.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
      if (nearest.length > count) nearest.pop();
    }
    return nearest.map(({ id }) => id);
  }
}

const authorIn = (key: string): string => key.slice(0, Math.max(0, key.indexOf('/')));

/** The pairs of adjacent characters of the name without its author. `^` and `$` mark its beginning and end. */
function pairsOf(key: string): Set<string> {
  const text = `^${key.slice(key.indexOf('/') + 1)}$`;
  const pairs = new Set<string>();
  for (let at = 0; at < text.length - 1; at++) pairs.add(text.slice(at, at + 2));
  return pairs;
}
