import { givenMembers } from '../../kernel/given-members.js';
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
    ...givenMembers({
      inputImage: usd_per_image,
      request: usd_per_request,
      webSearch: usd_per_search,
      tiers: prices.tiers?.map(tierOf),
    }),
  };
}

function tierOf(entry: TokenPriceTierEntry): TokenPriceTier {
  const {
    min_prompt_tokens: minPromptTokens,
    utc_start: utcStart,
    utc_end: utcEnd,
    utc_days: utcDays,
    ...prices
  } = entry;
  return { ...givenMembers({ minPromptTokens, utcStart, utcEnd, utcDays }), ...listPrices(prices) };
}

/** The entry for prices per token. Prices in other units are left out. */
export function tokenPriceEntry(list: TokenPriceList): TokenPriceEntry {
  return {
    ...(entryPrices(list) as Pick<TokenPriceEntry, 'prompt' | 'completion'>),
    ...givenMembers({ tiers: list.tiers?.map(tierEntryOf) }),
  };
}

function tierEntryOf(tier: TokenPriceTier): TokenPriceTierEntry {
  const { minPromptTokens: min_prompt_tokens, utcStart: utc_start, utcEnd: utc_end, utcDays: utc_days } = tier;
  return { ...givenMembers({ min_prompt_tokens, utc_start, utc_end, utc_days }), ...entryPrices(tier) };
}

const NAMES = Object.entries(ENTRY_NAMES) as [keyof typeof ENTRY_NAMES, keyof Prices][];

const listPrices = (entry: Prices): Partial<Record<TokenPriceName, string>> =>
  Object.fromEntries(NAMES.flatMap(([name, own]) => (entry[own] === undefined ? [] : [[name, perToken(entry[own])]])));

const entryPrices = (list: Partial<Record<TokenPriceName, string>>): Prices =>
  Object.fromEntries(NAMES.flatMap(([name, own]) => (list[name] === undefined ? [] : [[own, perMillion(list[name])]])));
