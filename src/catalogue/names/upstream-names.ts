import type { CatalogueEndpoint, CatalogueModel } from '../catalogue-model.js';

/** An endpoint with its model. */
export interface ModelOffer {
  readonly model: CatalogueModel;
  readonly endpoint: CatalogueEndpoint;
}

/** The date at the end of a vendor's name of a model: -20251101, @20251101 or -2025-11-01. */
const DATE_SUFFIX = /(?:[-@]\d{8}|-\d{4}-\d{2}-\d{2})$/;

/** The name without a date at its end. */
export const undated = (name: string): string => name.replace(DATE_SUFFIX, '');

/** The digits of the date at the end of a name: `20251101`. */
export const dateOf = (name: string): string | undefined => DATE_SUFFIX.exec(name)?.[0].replaceAll(/\D/g, '');

/** The provider of the models that this service runs itself. */
export const BUILT_IN = 'builtin';

const NONE: readonly ModelOffer[] = [];

/**
 * The offers of all models by the vendors' own names, without dates. Three kinds of names are left out: names with an
 * author, names of built-in models, which have no vendor, and names of own providers' models, which would change the
 * meaning of a vendor's name.
 */
export class UpstreamNames {
  readonly #offers = new Map<string, ModelOffer[]>();

  constructor(models: readonly CatalogueModel[]) {
    for (const model of models)
      for (const endpoint of model.endpoints) {
        if (endpoint.provider === BUILT_IN || endpoint.ownAddress !== undefined) continue;
        if (endpoint.upstreamModel.includes('/')) continue;
        const name = undated(endpoint.upstreamModel);
        const offers = this.#offers.get(name);
        if (offers) offers.push({ model, endpoint });
        else this.#offers.set(name, [{ model, endpoint }]);
      }
  }

  /** The offers whose names differ from this one at most in the date. */
  offersOf(name: string): readonly ModelOffer[] {
    return this.#offers.get(undated(name)) ?? NONE;
  }
}
