import type { CatalogueEndpoint, CatalogueModel } from './catalogue-model.js';

const isKnown = (price: string): boolean => !price.startsWith('-');
const isPriced = ({ pricing }: CatalogueEndpoint): boolean => pricing.length > 0;

/**
 * The offered models: those with a known price, each with its endpoints that have a known price. The others remain in
 * the data, so that an import can add a price; until then they are neither listed nor served.
 */
export function offeredModels(models: readonly CatalogueModel[]): CatalogueModel[] {
  return models
    .filter(({ pricing }) => Object.values(pricing).every(isKnown))
    .map((model) =>
      model.endpoints.every(isPriced) ? model : { ...model, endpoints: model.endpoints.filter(isPriced) },
    );
}
