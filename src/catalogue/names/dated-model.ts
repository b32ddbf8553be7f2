import type { CatalogueEndpoint, CatalogueModel } from '../catalogue-model.js';
import { publishedNames, type DateForm } from './published-names.js';
import { dateOf, undated } from './upstream-names.js';

/** Whether an author sells its own models under dated names. */
export const sellsDatedNames = (author: string): boolean => Object.hasOwn(publishedNames().dated, author);

/**
 * The model with the date of the name in its upstream names. Requests to vendors that sell dated names contain the
 * date; requests to other vendors contain their own name of the model. Returns the model itself if the name has no
 * date.
 */
export function datedModel(model: CatalogueModel, name: string): CatalogueModel {
  const date = dateOf(name);
  if (date === undefined) return model;
  return { ...model, endpoints: model.endpoints.map((endpoint) => datedEndpoint(endpoint, date)) };
}

function datedEndpoint(endpoint: CatalogueEndpoint, date: string): CatalogueEndpoint {
  const { dated } = publishedNames();
  const { provider, upstreamModel } = endpoint;
  if (!Object.hasOwn(dated, provider) || dateOf(upstreamModel) === date) return endpoint;
  const named = undated(upstreamModel) + written(date, dated[provider]!);
  return { ...endpoint, upstreamModel: named, listedAs: upstreamModel };
}

function written(date: string, form: DateForm): string {
  const [year, month, day] = [date.slice(0, 4), date.slice(4, 6), date.slice(6)];
  return form.replace('YYYY', year).replace('MM', month).replace('DD', day);
}
