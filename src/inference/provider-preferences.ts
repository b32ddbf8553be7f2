import { providerOf, providersNamed } from '../catalogue/names/published-names.js';
import { isObject, isSet, type Members } from '../formats/members.js';
import { invalidRequest } from '../kernel/errors/errors.js';
import { parseDecimal, type Decimal } from '../kernel/money.js';

const SORTS = ['price', 'throughput', 'latency'] as const;
const TEXT_SORTS = [...SORTS, 'exacto'] as const;
type Sort = (typeof TEXT_SORTS)[number];
const DATA_COLLECTION = ['allow', 'deny'] as const;
export const PRICES = ['prompt', 'completion', 'request', 'image', 'audio'] as const;
const PERCENTILES = ['p50', 'p75', 'p90', 'p99'] as const;

/** `provider` of an inference request, validated. */
export interface ProviderPreferences {
  readonly order?: readonly string[];
  readonly only?: readonly string[];
  readonly ignore?: readonly string[];
  readonly sort?: Sort;
  /** Whether `sort` compares the endpoints of all models of the request together, not separately by model. */
  readonly sortsAcrossModels?: boolean;
  readonly allowFallbacks: boolean;
  /** Endpoints that lack a parameter of the request are excluded. */
  readonly requireParameters?: boolean;
  /**
   * Allows only endpoints that keep no data according to a public source. `member`: the member of the request that sets
   * this.
   */
  readonly zeroDataRetention?: { readonly member: string; readonly value: unknown };
  /** Allows only models whose output may be used to train other models, according to a public source. */
  readonly distillable?: boolean;
  readonly quantizations?: readonly string[];
  /** USD: per request for `request`, per image for `image`, otherwise per million tokens or characters of speech. */
  readonly maxPrice?: Readonly<Partial<Record<(typeof PRICES)[number], Decimal>>>;
  /** Tokens per second. Endpoints with a lower throughput come last. */
  readonly minThroughput?: number;
  /** Endpoints with a higher latency come last. */
  readonly maxLatencyMs?: number;
  /** Passthrough options by provider slug. */
  readonly options: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

const NO_PREFERENCES: ProviderPreferences = { allowFallbacks: true, options: {} };

/** Maximum slugs per list, because each list is searched for every endpoint of a model. */
const MAX_SLUGS = 1_000;

/** Parses `provider` of an inference request. Unknown members are ignored. */
export function parsePreferences(provider: object | undefined, sorts: readonly Sort[] = SORTS): ProviderPreferences {
  if (provider === undefined) return NO_PREFERENCES;
  const given = provider as Members;
  return {
    order: slugs(given, 'order')?.flatMap(providersNamed),
    only: slugs(given, 'only')?.flatMap(providersNamed),
    ignore: slugs(given, 'ignore')?.flatMap(providersNamed),
    sort: sortOf(given['sort'], sorts),
    allowFallbacks: flag(given, 'allow_fallbacks') ?? true,
    maxPrice: maxPriceOf(given['max_price']),
    options: optionsOf(given['options']),
  };
}

/** Parses `provider` of a text request, which has more preferences. */
export function parseTextPreferences(provider: object | undefined): ProviderPreferences {
  if (provider === undefined) return NO_PREFERENCES;
  const given = provider as Members;
  const collection = given['data_collection'] ?? undefined;
  if (collection !== undefined && !(DATA_COLLECTION as readonly unknown[]).includes(collection))
    throw invalidRequest(`provider.data_collection must be one of ${DATA_COLLECTION.join(', ')}`);
  const maxLatency = preferred(given, 'preferred_max_latency');
  return {
    ...parsePreferences(provider, TEXT_SORTS),
    requireParameters: flag(given, 'require_parameters'),
    sortsAcrossModels: partitionOf(given['sort']) === 'none',
    zeroDataRetention: zeroDataRetentionOf(given, collection),
    distillable: flag(given, 'enforce_distillable_text'),
    quantizations: slugs(given, 'quantizations'),
    minThroughput: preferred(given, 'preferred_min_throughput'),
    maxLatencyMs: maxLatency === undefined ? undefined : maxLatency * 1_000,
  };
}

function zeroDataRetentionOf(given: Members, collection: unknown): ProviderPreferences['zeroDataRetention'] {
  if (flag(given, 'zdr')) return { member: 'zdr', value: true };
  return collection === 'deny' ? { member: 'data_collection', value: collection } : undefined;
}

function slugs(given: Members, name: string): readonly string[] | undefined {
  const value = given[name];
  if (!isSet(value)) return undefined;
  if (Array.isArray(value) && value.length > MAX_SLUGS)
    throw invalidRequest(`provider.${name} must contain no more than ${MAX_SLUGS} elements`);
  if (!Array.isArray(value) || !value.every((entry) => typeof entry === 'string'))
    throw invalidRequest(
      `provider.${name} must be an array of ${name === 'quantizations' ? 'quantizations' : 'provider slugs'}`,
    );
  return value;
}

function sortOf(value: unknown, sorts: readonly Sort[]): Sort | undefined {
  const sort: unknown = isObject(value) ? value['by'] : value;
  if (!isSet(sort)) return undefined;
  if (!(sorts as readonly unknown[]).includes(sort))
    throw invalidRequest(`provider.sort must be one of ${sorts.join(', ')}`);
  return sort as Sort;
}

function partitionOf(sort: unknown): unknown {
  const partition = isObject(sort) ? (sort['partition'] ?? undefined) : undefined;
  if (partition !== undefined && partition !== 'model' && partition !== 'none')
    throw invalidRequest('provider.sort.partition must be one of model, none');
  return partition;
}

function flag(given: Members, name: string): boolean | undefined {
  const value = given[name];
  if (!isSet(value)) return undefined;
  if (typeof value !== 'boolean') throw invalidRequest(`provider.${name} must be true or false`);
  return value;
}

function maxPriceOf(value: unknown): ProviderPreferences['maxPrice'] {
  if (!isSet(value)) return undefined;
  if (!isObject(value)) throw invalidRequest('provider.max_price must be an object');
  const prices = PRICES.flatMap((name) => {
    const given = value[name];
    if (!isSet(given)) return [];
    const price = typeof given === 'number' || typeof given === 'string' ? parseDecimal(String(given)) : undefined;
    if (!price || price.units < 0n)
      throw invalidRequest(`provider.max_price.${name} must be a number or decimal text of at least 0`);
    return [[name, price] as const];
  });
  return Object.fromEntries(prices);
}

/**
 * Reads a number, or an object of numbers by percentile. Returns the value of the object's lowest percentile, because
 * this service measures only averages.
 */
function preferred(given: Members, name: string): number | undefined {
  const value = given[name];
  if (!isSet(value)) return undefined;
  const numbers = isObject(value) ? PERCENTILES.map((percentile) => value[percentile] ?? undefined) : [value];
  const named = numbers.filter((number) => number !== undefined);
  if (!named.every((number) => typeof number === 'number' && number >= 0))
    throw invalidRequest(`provider.${name} must be a number of at least 0, or an object of them by percentile`);
  return named[0] as number | undefined;
}

function optionsOf(value: unknown): ProviderPreferences['options'] {
  if (!isSet(value)) return {};
  if (!isObject(value) || !Object.values(value).every(isObject))
    throw invalidRequest('provider.options must be an object of objects by provider slug');
  const options = value as ProviderPreferences['options'];
  const published = Object.entries(options).map(([slug, given]) => [providerOf(slug), given] as const);
  return { ...Object.fromEntries(published), ...options };
}
