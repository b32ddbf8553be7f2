import type { CatalogueModel } from './catalogue-model.js';
import type { CatalogueSnapshot } from './catalogue-snapshot.js';
import type { ModelQuery, Sort, TrafficFigures } from './model-query.js';
import { ModelColumns } from './search/model-columns.js';
import { filtersOf, type Passes } from './search/model-filter.js';
import { placesIn } from './search/model-orders.js';

/** Searches one state of the catalogue and of the traffic figures. */
export class ModelSearch {
  readonly #columns: ModelColumns;
  /** Cached orders, each computed on first use. */
  readonly #orders = new Map<Sort | undefined, Int32Array>();

  constructor(snapshot: CatalogueSnapshot, figures: ReadonlyMap<string, TrafficFigures> = new Map()) {
    this.#columns = new ModelColumns(snapshot.models, snapshot.scores, figures);
  }

  /**
   * The models that pass all filters of the query, in the order of the query. `now` = the time from which the age of
   * models is computed.
   */
  find(query: ModelQuery, now: Date): CatalogueModel[] {
    let places: ArrayLike<number> = this.#places(query.sort);
    for (const passes of filtersOf(query, this.#columns, now)) places = filterPlaces(places, passes);
    return Array.from(places, (at) => this.#columns.models[at]!);
  }

  #places(sort: Sort | undefined): Int32Array {
    const known = this.#orders.get(sort) ?? placesIn(sort, this.#columns);
    this.#orders.set(sort, known);
    return known;
  }
}

/** Uses a plain loop, because with tens of thousands of models an iterator would take more time than the tests. */
function filterPlaces(places: ArrayLike<number>, passes: Passes): number[] {
  const left: number[] = [];
  for (let index = 0; index < places.length; index++) if (passes(places[index]!)) left.push(places[index]!);
  return left;
}
