import type { TokenPriceList, TokenPriceName, TokenPriceTier } from '../token-price-list.js';
import type { EndpointEntry } from './entry.js';
import type { TokenPriceEntry, TokenPriceTierEntry } from './price-schema.js';
import { perMillion, perToken } from './decimal-prices.js';

/** Maps names in a price list to names in the data. */
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

/** The prices per token in an endpoint's entry; undefined if it has none. */
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

/** The entry for prices per token. Prices in other units are left out. */
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
