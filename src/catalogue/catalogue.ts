import { Injectable } from '@nestjs/common';
import type { CatalogueModel } from './catalogue-model.js';
import { BUILTIN_MODELS } from './data/builtin-models.js';

/** The models this service knows, an indexed snapshot in memory. */
@Injectable()
export class Catalogue {
  readonly #byId = new Map(BUILTIN_MODELS.map((model) => [model.id, model]));

  find(id: string): CatalogueModel | undefined {
    return this.#byId.get(id);
  }

  /** Newest first, then by id. */
  all(): readonly CatalogueModel[] {
    return BUILTIN_MODELS.toSorted((a, b) => b.created - a.created || (a.id < b.id ? -1 : 1));
  }
}
