import type { CatalogueModel } from './catalogue-model.js';
import type { CatalogueSnapshot } from './catalogue-snapshot.js';
import type { ModelQuery, Sort, TrafficFigures } from './model-query.js';
import { ModelColumns } from './search/model-columns.js';
import { filtersOf } from './search/model-filter.js';
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
    const filters = filtersOf(query, this.#columns, now);
    const found: CatalogueModel[] = [];
    for (const at of this.#places(query.sort)) if (filters.every((passes) => passes(at))) found.push(this.#columns.models[at]!);
    return found;
  }

  #places(sort: Sort | undefined): Int32Array {
    const known = this.#orders.get(sort) ?? placesIn(sort, this.#columns);
    this.#orders.set(sort, known);
    return known;
  }
}
