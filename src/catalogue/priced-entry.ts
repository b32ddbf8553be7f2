import { invalidRequest } from '../kernel/errors/errors.js';
import type { CatalogueModel } from './catalogue-model.js';
import type { CatalogueSnapshot } from './catalogue-snapshot.js';
import type { ModelEntry } from './entries/entry.js';
import type { TokenPriceEntry } from './entries/price-schema.js';
import { familyOf } from './model-families.js';
import { providerOf } from './names/published-names.js';

const ID = /^[^/\s]+\/[^/\s]+$/;

/**
 * The entry that sets the price of a text model at a provider. A model outside the catalogue gets the known data of its
 * family. Throws invalid_request if the name or the provider is unknown, or if the model is not a text model.
 */
export function pricedEntry(
  snapshot: CatalogueSnapshot,
  name: string,
  prices: TokenPriceEntry,
  provider: string | undefined,
  today: Date,
): ModelEntry {
  const id = snapshot.idOf(name);
  const model = id === undefined ? undefined : snapshot.find(id);
  const given = provider === undefined || snapshot.provider(provider) ? provider : providerOf(provider);
  if (given !== undefined && !snapshot.provider(given)) throw refused(`No provider has the slug ${given}`);
  return model ? priceOfKnown(model, prices, given) : newModel(snapshot, name, prices, given, today);
}

/** The entry with a price per web search, in USD. */
export const withSearchPrice = (entry: ModelEntry, usd: string): ModelEntry => ({
  ...entry,
  endpoints: entry.endpoints!.map((endpoint) => ({ ...endpoint, usd_per_search: usd })),
});

function priceOfKnown(model: CatalogueModel, prices: TokenPriceEntry, given: string | undefined): ModelEntry {
  const ofText = model.endpoints.filter(({ capability }) => capability === 'chat' || capability === 'embeddings');
  if (model.endpoints.length > 0 && ofText.length === 0) throw refused(`${model.id} is not a text model`);
  const author = model.id.slice(0, model.id.indexOf('/'));
  const own = familyOf(model.id)?.family.provider ?? author;
  const provider = given ?? (ofText.find((endpoint) => endpoint.provider === own) ?? ofText[0])?.provider;
  if (provider === undefined) throw refused(`${model.id} has no endpoint: name its provider by --provider`);
  return { id: model.id, endpoints: [{ provider, usd_per_million: prices }] };
}

function newModel(
  snapshot: CatalogueSnapshot,
  name: string,
  prices: TokenPriceEntry,
  given: string | undefined,
  today: Date,
): ModelEntry {
  const family = snapshot.assumed.find(name);
  const id = family?.id ?? name;
  const upstreamModel = family?.endpoints[0]?.upstreamModel ?? id.slice(id.indexOf('/') + 1);
  const provider = given ?? family?.endpoints[0]?.provider;
  if (!ID.test(id) || provider === undefined)
    throw refused(`The vendor of ${name} is not known: give the name as author/name, and its provider by --provider`);
  return {
    id,
    name: upstreamModel,
    released: today.toISOString().slice(0, 10),
    input: family?.inputModalities ?? ['text'],
    output: ['text'],
    ...(family ? { context: family.contextLength, supports: family.supportedParameters } : {}),
    ...(family?.maxCompletionTokens ? { max_output: family.maxCompletionTokens } : {}),
    ...(family?.family === undefined ? {} : { family: family.family }),
    endpoints: [{ provider, model: upstreamModel, usd_per_million: prices }],
  };
}

const refused = (reason: string): Error => invalidRequest(`${reason}. Nothing was changed.`);
