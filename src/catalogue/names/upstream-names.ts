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
 * The offers of all models by the vendors' own names, without dates. Three kinds of names are omitted: names with an
 * author; names of built-in models, because these have no vendor; names of own providers' models, because they would
 * change the meaning of vendors' names.
 */
export class UpstreamNames {
  readonly #offers: ReadonlyMap<string, readonly ModelOffer[]>;

  constructor(models: readonly CatalogueModel[]) {
    const offers = models.flatMap((model) => model.endpoints.map((endpoint) => ({ model, endpoint })));
    const named = offers.filter(
      ({ endpoint: { provider, ownAddress, upstreamModel } }) =>
        provider !== BUILT_IN && ownAddress === undefined && !upstreamModel.includes('/'),
    );
    this.#offers = Map.groupBy(named, ({ endpoint }) => undated(endpoint.upstreamModel));
  }

  /** The offers whose names differ from this name at most in the date. */
  offersOf(name: string): readonly ModelOffer[] {
    return this.#offers.get(undated(name)) ?? NONE;
  }
}
