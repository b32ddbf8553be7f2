import type { CatalogueEndpoint } from '../catalogue/catalogue-model.js';
import type { Nano } from '../kernel/money.js';
import type { Chance } from './chance.js';
import type { ProviderPreferences } from './inference-context.js';

/** An endpoint with what its place in the order depends on. */
export interface Contender {
  readonly endpoint: CatalogueEndpoint;
  /** The most that this very request can cost there. */
  readonly worstCase: Nano;
}

/** What this service has seen of an endpoint; undefined = nothing yet. */
export interface SeenPace {
  latencyMs(endpoint: CatalogueEndpoint): number | undefined;
  perSecond(endpoint: CatalogueEndpoint): number | undefined;
}

/**
 * The order in which endpoints are tried: those that `order` names, as it names them; then the others, by `sort` where it is
 * given. Without it one is drawn, by weights of the inverse square of the price, and the rest stand by, the cheapest first.
 */
export function inOrderOfUse<T extends Contender>(
  contenders: readonly T[],
  { order = [], sort }: Pick<ProviderPreferences, 'order' | 'sort'>,
  pace: SeenPace,
  chance: Chance,
): T[] {
  if (contenders.length < 2) return [...contenders];
  const placeOf = ({ endpoint }: T): number =>
    order.findIndex((name) => name === endpoint.provider || name === endpoint.tag);
  const named = contenders.filter((contender) => placeOf(contender) >= 0).toSorted((a, b) => placeOf(a) - placeOf(b));
  const others = contenders.filter((contender) => placeOf(contender) < 0).toSorted(byPrice);
  if (sort === 'latency') others.sort((a, b) => ascending(pace.latencyMs(a.endpoint), pace.latencyMs(b.endpoint)));
  if (sort === 'throughput')
    others.sort((a, b) => ascending(negated(pace.perSecond(a.endpoint)), negated(pace.perSecond(b.endpoint))));
  return [...named, ...(sort === undefined && others.length > 1 ? drawnFirst(others, chance) : others)];
}

function drawnFirst<T extends Contender>(byPrice: readonly T[], chance: Chance): T[] {
  const free = byPrice.filter(({ worstCase }) => worstCase === 0n);
  const drawable = free.length > 0 ? free : byPrice;
  const weights = drawable.map(({ worstCase }) => (worstCase === 0n ? 1 : 1 / Number(worstCase) ** 2));
  let left = chance.next() * weights.reduce((sum, weight) => sum + weight, 0);
  const index = weights.findIndex((weight) => (left -= weight) < 0);
  const drawn = drawable[index < 0 ? drawable.length - 1 : index]!;
  return [drawn, ...byPrice.filter((contender) => contender !== drawn)];
}

const byPrice = (a: Contender, b: Contender): number =>
  a.worstCase < b.worstCase ? -1 : a.worstCase > b.worstCase ? 1 : 0;

/** What has not been seen comes last. */
const ascending = (a = Infinity, b = Infinity): number => (a === b ? 0 : a - b);
const negated = (value: number | undefined): number | undefined => value && -value;
