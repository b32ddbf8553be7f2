import { LRUCache } from 'lru-cache';
import { atMostEntries } from '../kernel/cache-options.js';
import type { CatalogueEndpoint, CatalogueModel, TextLimits } from './catalogue-model.js';
import { highestPrices } from './highest-prices.js';
import { familyOf, type ModelFamily } from './model-families.js';

const MAX_CACHED = 1_000;

/** The data of the catalogue from which the models of a family are derived. */
interface FamilyTemplate {
  readonly model: CatalogueModel;
  readonly endpoint: CatalogueEndpoint;
}

/**
 * Models outside the catalogue whose vendor and family are known. Such a model has the highest price in each class, the
 * largest limits and all request parameters of its family. Its other data come from the newest model of the family.
 */
export class AssumedModels {
  readonly #templates = new Map<ModelFamily, FamilyTemplate | undefined>();
  readonly #made = new LRUCache<string, CatalogueModel>(atMostEntries(MAX_CACHED));

  /** `models`: newest first. */
  constructor(private readonly models: readonly CatalogueModel[]) {}

  /** The id for a name that belongs to a family, whether or not the family's price is known. */
  static idOf(name: string): string | undefined {
    const named = familyOf(name);
    return named && `${named.family.author}/${named.upstreamModel}`;
  }

  /** Undefined if the name belongs to no family, or if the family has no known price. */
  find(name: string): CatalogueModel | undefined {
    const named = familyOf(name);
    if (!named) return undefined;
    const { family, upstreamModel } = named;
    const id = `${family.author}/${upstreamModel}`;
    const made = this.#made.get(id);
    if (made) return made;
    const template = this.#templateOf(family);
    if (!template) return undefined;
    const model = modelOf(id, upstreamModel, template);
    this.#made.set(id, model);
    return model;
  }

  #templateOf(family: ModelFamily): FamilyTemplate | undefined {
    if (!this.#templates.has(family)) this.#templates.set(family, templateOf(family, this.models));
    return this.#templates.get(family);
  }
}

function modelOf(id: string, upstreamModel: string, { model, endpoint }: FamilyTemplate): CatalogueModel {
  return { ...model, id, canonicalSlug: id, name: upstreamModel, endpoints: [{ ...endpoint, upstreamModel }] };
}

function templateOf(family: ModelFamily, models: readonly CatalogueModel[]): FamilyTemplate | undefined {
  const known = models.flatMap((model) => {
    const endpoint = model.endpoints.find((one) => isOfFamily(one, family));
    return endpoint && model.outputModalities.includes('text') ? [{ model, endpoint }] : [];
  });
  const [newest] = known;
  if (!newest) return undefined;
  const prices = highestPrices(known.map(({ endpoint }) => endpoint.tokenPrices!));
  const largest = (numbers: readonly (number | null | undefined)[]): number => Math.max(...numbers.map((n) => n ?? 0));
  const contextLength = largest(known.map(({ model }) => model.contextLength));
  const maxCompletionTokens = largest(known.map(({ model }) => model.maxCompletionTokens)) || null;
  const endpoint: CatalogueEndpoint = {
    ...newest.endpoint,
    listedAs: `${family.family}-*`,
    priceAssumed: true,
    tokenPrices: prices,
    pricing: [
      { billable: 'input_text', unit: 'token', costUsd: prices.prompt },
      { billable: 'output_text', unit: 'token', costUsd: prices.completion },
    ],
    contextLength: undefined,
    maxPromptTokens: undefined,
    maxCompletionTokens: undefined,
    textLimits: largestLimits(known.map(({ endpoint: { textLimits = {} } }) => textLimits)),
  };
  const model: CatalogueModel = {
    ...newest.model,
    description:
      'Not in the catalogue. Its calls go to the vendor, and are billed at the highest price in each class among the ' +
      `known models ${family.family}-*.`,
    contextLength,
    maxCompletionTokens,
    supportedParameters: [...new Set(known.flatMap((one) => one.model.supportedParameters))].toSorted(),
    pricing: { prompt: prices.prompt, completion: prices.completion, image: '0', request: prices.request ?? '0' },
    tokenPrices: prices,
    knowledgeCutoff: null,
    expirationDate: null,
    endpoints: [endpoint],
  };
  return { model, endpoint };
}

const isOfFamily = (endpoint: CatalogueEndpoint, { provider, pattern, author }: ModelFamily): boolean =>
  endpoint.provider === provider &&
  endpoint.capability === 'chat' &&
  endpoint.adapter !== null &&
  endpoint.serviceTier === undefined &&
  endpoint.tokenPrices !== undefined &&
  pattern.test(endpoint.upstreamModel) &&
  familyOf(`${author}/${endpoint.upstreamModel.toLowerCase()}`) !== undefined;

/**
 * The largest value of each limit. Two limits are omitted: `maxPromptTokens`, because the context length also limits a
 * prompt, and `maxWebSearches`, because an assumed model has no price for searches.
 */
function largestLimits(all: readonly TextLimits[]): TextLimits {
  const limits: Record<string, number | boolean> = {};
  for (const { maxPromptTokens: _prompt, maxWebSearches: _searches, ...one } of all)
    for (const [name, limit] of Object.entries(one))
      if (limit !== undefined) limits[name] = Math.max(Number(limits[name] ?? 0), Number(limit));
  const { cachesByItself, ...numbers } = limits;
  return { ...numbers, ...(cachesByItself === undefined ? {} : { cachesByItself: Boolean(cachesByItself) }) };
}
