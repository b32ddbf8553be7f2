import type { CatalogueEndpoint } from '../../catalogue/catalogue-model.js';
import type { Channel } from '../../channels/channel.js';
import type { ProviderPreferences } from '../provider-preferences.js';

/**
 * The name `provider/region`, by which requests choose the credentials of a region for an endpoint. Undefined if the
 * credential has no region, or if the endpoint's tag differs from the provider.
 */
const regionalTag = ({ provider, tag }: CatalogueEndpoint, { region }: Channel): string | undefined =>
  region !== null && tag === provider ? `${provider}/${region}` : undefined;

/** Whether a list of names contains the endpoint's provider or its tag. */
export const isNamed = ({ provider, tag }: CatalogueEndpoint, names: readonly string[]): boolean =>
  names.includes(provider) || names.includes(tag);

/** Whether a list of names contains the endpoint, or the endpoint with a region of one of its credentials. */
export const isNamedWith = (
  endpoint: CatalogueEndpoint,
  channels: readonly Channel[],
  names: readonly string[],
): boolean => isNamed(endpoint, names) || channels.some((channel) => isIn(names, regionalTag(endpoint, channel)));

/** Returns the platform's credentials that `only` and `ignore` allow for an endpoint. */
export function channelsLeft(
  endpoint: CatalogueEndpoint,
  channels: readonly Channel[],
  { only, ignore }: ProviderPreferences,
): readonly Channel[] {
  const takesAll = !only || isNamed(endpoint, only);
  if ((takesAll && !ignore) || channels.every(({ region }) => region === null)) return takesAll ? channels : [];
  return channels.filter((channel) => {
    const tag = regionalTag(endpoint, channel);
    return (takesAll || isIn(only, tag)) && !(ignore && isIn(ignore, tag));
  });
}

/** Moves credentials whose regions are in `order` to the front, in that order. */
export function inNamedOrder(
  endpoint: CatalogueEndpoint,
  channels: readonly Channel[],
  { order }: ProviderPreferences,
): readonly Channel[] {
  if (!order || channels.length < 2) return channels;
  const rankOf = (channel: Channel): number => {
    const tag = regionalTag(endpoint, channel);
    const rank = tag === undefined ? -1 : order.indexOf(tag);
    return rank < 0 ? Infinity : rank;
  };
  return channels.toSorted((a, b) => (rankOf(a) === rankOf(b) ? 0 : rankOf(a) - rankOf(b)));
}

const isIn = (names: readonly string[], tag: string | undefined): boolean => tag !== undefined && names.includes(tag);
