import type { CatalogueEndpoint } from '../../catalogue/catalogue-model.js';
import { isPriceAbove } from '../../catalogue/price.js';
import { publishedPrice } from '../../catalogue/published-price.js';
import { decimalToText, type Decimal } from '../../kernel/money.js';
import type { Channel } from '../../channels/channel.js';
import { PRICES, type ProviderPreferences } from '../provider-preferences.js';
import { isNamed, isNamedWith } from './regional-channels.js';

/** A preference of a request that excludes endpoints. */
interface EndpointExclusion {
  /** The member of the request, such as `provider.only`. */
  readonly member: string;
  /** The value in the request. */
  readonly value: unknown;
  readonly keeps: (endpoint: CatalogueEndpoint) => boolean;
}

/** The platform's credentials for an endpoint. */
type ChannelsOf = (endpoint: CatalogueEndpoint) => readonly Channel[];

/** Maximum length of a value in a message. */
const MAX_VALUE_CHARACTERS = 200;

/** The exclusions that the request sets. */
function exclusionsOf(preferences: ProviderPreferences, channelsOf: ChannelsOf): EndpointExclusion[] {
  const { only, ignore, zeroDataRetention, quantizations, maxPrice } = preferences;
  const exclusions: EndpointExclusion[] = [];
  if (only)
    exclusions.push({
      member: 'only',
      value: only,
      keeps: (endpoint) => isNamedWith(endpoint, channelsOf(endpoint), only),
    });
  if (ignore) exclusions.push({ member: 'ignore', value: ignore, keeps: (endpoint) => !isNamed(endpoint, ignore) });
  if (zeroDataRetention) exclusions.push({ ...zeroDataRetention, keeps: keepsNoData });
  if (quantizations)
    exclusions.push({
      member: 'quantizations',
      value: quantizations,
      keeps: ({ quantization = 'unknown' }) => quantizations.includes(quantization),
    });
  for (const name of PRICES) {
    const most = maxPrice?.[name];
    if (most)
      exclusions.push({
        member: `max_price.${name}`,
        value: decimalToText(most),
        keeps: (endpoint) => !exceedsPrice(endpoint, name, most),
      });
  }
  return exclusions;
}

/** An endpoint that needs no credential keeps no data, because it runs on the operator's own machines. */
const keepsNoData = ({ needsCredential, zeroDataRetention }: CatalogueEndpoint): boolean =>
  !needsCredential || zeroDataRetention === true;

/** Compares the prices in the listings, which contain no prices for seconds and search units. */
function exceedsPrice(endpoint: CatalogueEndpoint, name: (typeof PRICES)[number], most: Decimal): boolean {
  const { prompt, completion, image, inputCharacter } = publishedPrice(endpoint);
  const { inputAudio: audio, request, inputImage } = endpoint.tokenPrices ?? {};
  const price = { prompt: inputCharacter ?? prompt, completion, audio, request, image: inputImage ?? image }[name];
  return price !== undefined && isPriceAbove(price, most, name === 'request' || name === 'image' ? 0 : 6);
}

/**
 * The endpoints that the preferences allow. If no endpoint is left, `excludedBy` is the preference that excluded the
 * last endpoints.
 */
export function withoutExcluded(
  endpoints: readonly CatalogueEndpoint[],
  preferences: ProviderPreferences,
  channelsOf: ChannelsOf,
): { readonly left: CatalogueEndpoint[]; readonly excludedBy?: string } {
  let left = [...endpoints];
  for (const { member, value, keeps } of exclusionsOf(preferences, channelsOf)) {
    left = left.filter(keeps);
    if (left.length === 0) return { left, excludedBy: `provider.${member} ${shown(value)}` };
  }
  return { left };
}

function shown(value: unknown): string {
  const text = JSON.stringify(value);
  return text.length <= MAX_VALUE_CHARACTERS ? text : `${text.slice(0, MAX_VALUE_CHARACTERS)}…`;
}
