import type { CatalogueEndpoint } from '../../catalogue/catalogue-model.js';
import type { Channel } from '../../channels/channel.js';
import type { Nano } from '../../kernel/money.js';
import type { ProviderPreferences } from '../provider-preferences.js';
import type { Random } from './random.js';
import { isNamedWith } from './regional-channels.js';

/** An endpoint with the properties that decide its position in the order. */
export interface Contender {
  readonly endpoint: CatalogueEndpoint;
  /** Contains the maximum cost of this request at the endpoint. */
  readonly prepared: { readonly worstCase: Nano };
  /** The platform's credentials for the endpoint; absent if a credential was already chosen. */
  readonly platform?: readonly Channel[];
}

/** Measurements of past calls; undefined = no measurement. */
export interface EndpointLatency {
  latencyMs(endpoint: CatalogueEndpoint): number | undefined;
  perSecond(endpoint: CatalogueEndpoint): number | undefined;
}

/**
 * The order in which endpoints are attempted: first the endpoints that `order` names, in that order; then the others,
 * by `sort` if it is set. Without `sort` one of the others is chosen at random, weighted by the inverse square of its
 * price, and the rest follow, cheapest first.
 */
export function inOrderOfUse<T extends Contender>(
  contenders: readonly T[],
  { order = [], sort, minThroughput, maxLatencyMs }: Partial<ProviderPreferences>,
  latency: EndpointLatency,
  random: Random,
): T[] {
  if (contenders.length < 2) return [...contenders];
  const rankOf = ({ endpoint, platform = [] }: T): number =>
    order.findIndex((name) => isNamedWith(endpoint, platform, [name]));
  const named = contenders.filter((contender) => rankOf(contender) >= 0).toSorted((a, b) => rankOf(a) - rankOf(b));
  const others = contenders.filter((contender) => rankOf(contender) < 0).toSorted(byPrice);
  if (sort === 'latency')
    others.sort((a, b) => ascending(latency.latencyMs(a.endpoint), latency.latencyMs(b.endpoint)));
  if (sort === 'throughput')
    others.sort((a, b) => ascending(negated(latency.perSecond(a.endpoint)), negated(latency.perSecond(b.endpoint))));
  const ordered = sort === undefined && others.length > 1 ? drawnFirst(others, random) : others;
  if (minThroughput === undefined && maxLatencyMs === undefined) return [...named, ...ordered];
  // Endpoints whose measurements miss `minThroughput` or `maxLatencyMs` come last, but are not excluded. An endpoint
  // without measurements keeps its place.
  const isWorse = ({ endpoint }: T): boolean =>
    (minThroughput !== undefined && (latency.perSecond(endpoint) ?? Infinity) < minThroughput) ||
    (maxLatencyMs !== undefined && (latency.latencyMs(endpoint) ?? 0) > maxLatencyMs);
  return [...named, ...ordered.toSorted((a, b) => Number(isWorse(a)) - Number(isWorse(b)))];
}

/** Moves one endpoint, chosen at random, to the front: a free endpoint if there is one. */
function drawnFirst<T extends Contender>(byPrice: readonly T[], random: Random): T[] {
  const free = byPrice.filter(({ prepared: { worstCase } }) => worstCase === 0n);
  const drawable = free.length > 0 ? free : byPrice;
  const weights = drawable.map(({ prepared: { worstCase } }) => (worstCase === 0n ? 1 : 1 / Number(worstCase) ** 2));
  let left = random.next() * weights.reduce((sum, weight) => sum + weight, 0);
  const index = weights.findIndex((weight) => (left -= weight) < 0);
  const drawn = drawable[index < 0 ? drawable.length - 1 : index]!;
  return [drawn, ...byPrice.filter((contender) => contender !== drawn)];
}

const byPrice = (a: Contender, b: Contender): number =>
  a.prepared.worstCase < b.prepared.worstCase ? -1 : a.prepared.worstCase > b.prepared.worstCase ? 1 : 0;

/** Endpoints without measurements come last. */
const ascending = (a = Infinity, b = Infinity): number => (a === b ? 0 : a - b);
const negated = (value: number | undefined): number | undefined => value && -value;
