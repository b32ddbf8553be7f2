import type { CatalogueModel } from './catalogue-model.js';
import type { CatalogueSnapshot } from './catalogue-snapshot.js';
import type { ModelQuery, Sort, TrafficFigures } from './model-query.js';
import { ModelColumns } from './search/model-columns.js';
import { filtersOf, type Passes } from './search/model-filter.js';
import { placesIn } from './search/model-orders.js';

/** Finds models in one state of the catalogue and of the figures from traffic. */
export class ModelSearch {
  readonly #columns: ModelColumns;
  /** Orders that were asked for; each is worked out once. */
  readonly #orders = new Map<Sort | undefined, Int32Array>();

  constructor(snapshot: CatalogueSnapshot, figures: ReadonlyMap<string, TrafficFigures> = new Map()) {
    this.#columns = new ModelColumns(snapshot.models, snapshot.scores, figures);
  }

  /** The models that pass every part of the query, in its order. `now` is what age counts from. */
  find(query: ModelQuery, now: Date): CatalogueModel[] {
    let places: ArrayLike<number> = this.#places(query.sort);
    for (const passes of filtersOf(query, this.#columns, now)) places = kept(places, passes);
    return Array.from(places, (at) => this.#columns.models[at]!);
  }

  #places(sort: Sort | undefined): Int32Array {
    const known = this.#orders.get(sort) ?? placesIn(sort, this.#columns);
    this.#orders.set(sort, known);
    return known;
  }
}

/** A plain loop: with tens of thousands of models an iterator would cost more than the test. */
function kept(places: ArrayLike<number>, passes: Passes): number[] {
  const left: number[] = [];
  for (let index = 0; index < places.length; index++) if (passes(places[index]!)) left.push(places[index]!);
  return left;
}
