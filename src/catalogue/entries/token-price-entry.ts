import type { TokenPriceList, TokenPriceName, TokenPriceTier } from '../token-price-list.js';
import type {
  EndpointEntry,
  PricingOverrideEntry,
  PublishedPricingEntry,
  TokenPriceEntry,
  TokenPriceTierEntry,
} from './entry.js';
import { EntryFault } from './entry-fault.js';
import { aCount, aPrice, aPriceOrUnknown, listOf, shapeOf, type Reader } from './shape.js';
import { perMillion, perToken } from './token-price.js';

/** Name in a price list → name in the data. */
const ENTRY_NAMES = {
  prompt: 'prompt',
  completion: 'completion',
  cacheRead: 'cache_read',
  cacheWrite: 'cache_write',
  cacheWrite1h: 'cache_write_1h',
  reasoning: 'reasoning',
  inputAudio: 'input_audio',
  outputAudio: 'output_audio',
  outputImage: 'output_image',
} as const satisfies Partial<Record<TokenPriceName, keyof TokenPriceEntry>>;

type Prices = Readonly<Partial<Record<(typeof ENTRY_NAMES)[keyof typeof ENTRY_NAMES], string>>>;

const PRICES = {
  prompt: aPrice,
  completion: aPrice,
  cache_read: aPrice,
  cache_write: aPrice,
  cache_write_1h: aPrice,
  reasoning: aPrice,
  input_audio: aPrice,
  output_audio: aPrice,
  output_image: aPrice,
};

const matchingCount =
  (max: number, what: string): Reader<number> =>
  (value, path) => {
    if (aCount(value, path) > max) throw new EntryFault(path, `must be ${what}`);
    return value as number;
  };
const aClock: Reader<number> = (value, path) => {
  if (aCount(value, path) > 2359 || (value as number) % 100 > 59)
    throw new EntryFault(path, 'must be a time of day in UTC as HHMM, such as 1630');
  return value as number;
};

/** A tier without a condition would replace the prices that it stands beside. */
const conditional =
  <T extends Pick<TokenPriceTierEntry, 'min_prompt_tokens' | 'utc_start' | 'utc_end' | 'utc_days'>>(
    reader: Reader<T>,
  ): Reader<T> =>
  (value, path) => {
    const tier = reader(value, path);
    if ((tier.utc_start === undefined) !== (tier.utc_end === undefined))
      throw new EntryFault(path, 'must have both of "utc_start" and "utc_end", or neither');
    if (tier.min_prompt_tokens === undefined && tier.utc_start === undefined && tier.utc_days === undefined)
      throw new EntryFault(path, 'lacks a condition, such as "min_prompt_tokens"');
    return tier;
  };

export const aTokenPrice = shapeOf<TokenPriceEntry>(
  {
    ...PRICES,
    tiers: listOf(
      conditional(
        shapeOf<TokenPriceTierEntry>(
          {
            min_prompt_tokens: aCount,
            utc_start: aClock,
            utc_end: aClock,
            utc_days: listOf(matchingCount(6, 'a day from 0 (Sunday) to 6')),
            ...PRICES,
          },
          [],
        ),
      ),
    ),
  },
  ['prompt', 'completion'],
);

const PUBLISHED = {
  prompt: aPriceOrUnknown,
  completion: aPriceOrUnknown,
  input_cache_read: aPriceOrUnknown,
  input_cache_write: aPriceOrUnknown,
  input_cache_write_1h: aPriceOrUnknown,
  audio: aPriceOrUnknown,
};

/** `wrap` is put around every reader, for formats in which null means unknown. */
export const publishedPricing = (
  wrap: <T>(reader: Reader<T>) => Reader<T>,
  required: readonly ('prompt' | 'completion')[],
  unknown: 'refuse' | 'drop',
): Reader<PublishedPricingEntry> => {
  const wrapped = <T extends object>(readers: T): T =>
    Object.fromEntries(
      Object.entries(readers).map(([name, reader]) => [name, wrap(reader as Reader<unknown>)]),
    ) as unknown as T;
  return shapeOf<PublishedPricingEntry>(
    wrapped({
      ...PUBLISHED,
      image: aPriceOrUnknown,
      request: aPriceOrUnknown,
      internal_reasoning: aPriceOrUnknown,
      audio_output: aPriceOrUnknown,
      image_output: aPriceOrUnknown,
      web_search: aPriceOrUnknown,
      overrides: listOf(
        conditional(
          shapeOf<PricingOverrideEntry>(
            wrapped({ min_prompt_tokens: aCount, utc_start: aClock, utc_end: aClock, ...PUBLISHED }),
            [],
            unknown,
          ),
        ),
      ),
    }),
    required,
    unknown,
  );
};

/** The prices per token of an endpoint's entry; undefined where it has none. */
export function tokenPriceList(entry: EndpointEntry): TokenPriceList | undefined {
  const { usd_per_million: prices, usd_per_image, usd_per_request, usd_per_search } = entry;
  if (!prices) return undefined;
  return {
    ...(listPrices(prices) as Pick<TokenPriceList, 'prompt' | 'completion'>),
    ...(usd_per_image === undefined ? {} : { inputImage: usd_per_image }),
    ...(usd_per_request === undefined ? {} : { request: usd_per_request }),
    ...(usd_per_search === undefined ? {} : { webSearch: usd_per_search }),
    ...(prices.tiers === undefined ? {} : { tiers: prices.tiers.map(tierOf) }),
  };
}

function tierOf(entry: TokenPriceTierEntry): TokenPriceTier {
  const { min_prompt_tokens, utc_start, utc_end, utc_days, ...prices } = entry;
  return {
    ...(min_prompt_tokens === undefined ? {} : { minPromptTokens: min_prompt_tokens }),
    ...(utc_start === undefined ? {} : { utcStart: utc_start }),
    ...(utc_end === undefined ? {} : { utcEnd: utc_end }),
    ...(utc_days === undefined ? {} : { utcDays: utc_days }),
    ...listPrices(prices),
  };
}

/** The entry of prices per token; what is not priced by the token is left out. */
export function tokenPriceEntry(list: TokenPriceList): TokenPriceEntry {
  return {
    ...(entryPrices(list) as Pick<TokenPriceEntry, 'prompt' | 'completion'>),
    ...(list.tiers === undefined
      ? {}
      : {
          tiers: list.tiers.map((tier) => ({
            ...(tier.minPromptTokens === undefined ? {} : { min_prompt_tokens: tier.minPromptTokens }),
            ...(tier.utcStart === undefined ? {} : { utc_start: tier.utcStart }),
            ...(tier.utcEnd === undefined ? {} : { utc_end: tier.utcEnd }),
            ...(tier.utcDays === undefined ? {} : { utc_days: tier.utcDays }),
            ...entryPrices(tier),
          })),
        }),
  };
}

const NAMES = Object.entries(ENTRY_NAMES) as [keyof typeof ENTRY_NAMES, keyof Prices][];

const listPrices = (entry: Prices): Partial<Record<TokenPriceName, string>> =>
  Object.fromEntries(NAMES.flatMap(([name, own]) => (entry[own] === undefined ? [] : [[name, perToken(entry[own])]])));

const entryPrices = (list: Partial<Record<TokenPriceName, string>>): Prices =>
  Object.fromEntries(NAMES.flatMap(([name, own]) => (list[name] === undefined ? [] : [[own, perMillion(list[name])]])));
