import { givenMembers } from '../kernel/given-members.js';
import { decimalToText, parseDecimal } from '../kernel/money.js';
import { perToken } from './entries/decimal-prices.js';

/**
 * The prices of a text endpoint, as decimal text in USD: per token, picture, request and web search.
 * inference/text/token-price.ts defines the charge for a class without a price.
 */
export interface TokenPriceList {
  readonly prompt: string;
  readonly completion: string;
  readonly cacheRead?: string;
  readonly cacheWrite?: string;
  /** Writing to a cache for one hour; `cacheWrite` is for five minutes. */
  readonly cacheWrite1h?: string;
  readonly reasoning?: string;
  readonly inputAudio?: string;
  readonly outputAudio?: string;
  /** Per token of a generated picture. */
  readonly outputImage?: string;
  /** Per picture of the request. */
  readonly inputImage?: string;
  readonly request?: string;
  readonly webSearch?: string;
  /**
   * Prices under a condition, in the order in which they apply. If several tiers apply, each price comes from the last
   * tier that has it.
   */
  readonly tiers?: readonly TokenPriceTier[];
}

export type TokenPriceName = Exclude<keyof TokenPriceList, 'tiers'>;

/** A tier applies if all of its conditions are true. It does not change the prices that it omits. */
export interface TokenPriceTier extends Partial<Readonly<Record<TokenPriceName, string>>> {
  /** Minimum prompt tokens of the request, including cached ones. */
  readonly minPromptTokens?: number;
  /** Beginning of a daily window in UTC, as a clock number (HHMM: 1630 = 16:30). */
  readonly utcStart?: number;
  /** End of the window, exclusive. It is below `utcStart` if the window spans midnight. */
  readonly utcEnd?: number;
  /** Days in UTC, 0 = Sunday. */
  readonly utcDays?: readonly number[];
}

type Json = Readonly<Record<string, unknown>>;

const PUBLISHED_NAMES: Readonly<Record<TokenPriceName, string>> = {
  prompt: 'prompt',
  completion: 'completion',
  cacheRead: 'input_cache_read',
  cacheWrite: 'input_cache_write',
  cacheWrite1h: 'input_cache_write_1h',
  inputAudio: 'audio',
  reasoning: 'internal_reasoning',
  outputAudio: 'audio_output',
  outputImage: 'image_output',
  inputImage: 'image',
  request: 'request',
  webSearch: 'web_search',
};
const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday'];

/**
 * Reads the member `pricing` of a published listing: USD per token as decimal text. Undefined if the prompt or the
 * completion has no price ("-1" means unknown). An override also applies to prompts of exactly `min_prompt_tokens`
 * tokens.
 */
export function readPublishedPricing(pricing: Json): TokenPriceList | undefined {
  const prices = pricesOf(PUBLISHED_NAMES, pricing, priceText);
  const overrides = Array.isArray(pricing.overrides) ? (pricing.overrides as readonly Json[]) : [];
  return listOf(
    prices,
    overrides.map((override) => ({
      ...pricesOf(PUBLISHED_NAMES, override, priceText),
      ...givenMembers({
        minPromptTokens: numberIn(override.min_prompt_tokens),
        utcStart: numberIn(override.utc_start),
        utcEnd: numberIn(override.utc_end),
        utcDays: daysOf(override.utc_days ?? override.utc_day),
      }),
    })),
  );
}

const COST_NAMES: Readonly<Record<string, readonly string[]>> = {
  prompt: ['input'],
  completion: ['output'],
  cacheRead: ['cache_read', 'cached_input', 'cache_input'],
  cacheWrite: ['cache_write', 'cached_write'],
  reasoning: ['reasoning'],
  inputAudio: ['input_audio'],
  outputAudio: ['output_audio'],
};

/**
 * Reads the member `cost` of a catalogue fact: USD per million tokens as numbers, with `tiers[{tier: {size}, …}]` for
 * prompts of more than `size` tokens. Prices in other units (`request`, `citation`, `image`) are left out, because the
 * facts do not state the unit. Undefined if the prompt or the completion has no price.
 */
export function readCostFacts(cost: Json): TokenPriceList | undefined {
  const tiers = (Array.isArray(cost.tiers) ? (cost.tiers as readonly Json[]) : []).flatMap((tier) => {
    const size = numberIn((tier.tier as Json | undefined)?.size);
    return size !== undefined ? [{ ...pricesOf(COST_NAMES, tier, millionPrice), minPromptTokens: size + 1 }] : [];
  });
  return listOf(
    pricesOf(COST_NAMES, cost, millionPrice),
    tiers.toSorted((a, b) => a.minPromptTokens - b.minPromptTokens),
  );
}

function pricesOf(
  names: Readonly<Record<string, string | readonly string[]>>,
  source: Json,
  read: (value: unknown) => string | undefined,
): Partial<Record<TokenPriceName, string>> {
  const prices: Partial<Record<TokenPriceName, string>> = {};
  for (const [name, sources] of Object.entries(names)) {
    for (const key of [sources].flat()) {
      const price = read(source[key]);
      if (price !== undefined) prices[name as TokenPriceName] ??= price;
    }
  }
  return prices;
}

function listOf(
  prices: Partial<Record<TokenPriceName, string>>,
  tiers: readonly TokenPriceTier[],
): TokenPriceList | undefined {
  const { prompt, completion } = prices;
  if (prompt === undefined || completion === undefined) return undefined;
  return { ...prices, prompt, completion, ...(tiers.length > 0 ? { tiers } : {}) };
}

function priceText(value: unknown): string | undefined {
  const price = typeof value === 'string' ? parseDecimal(value) : undefined;
  return price && price.units >= 0n ? decimalToText(price) : undefined;
}

function millionPrice(value: unknown): string | undefined {
  const price = numberIn(value);
  // Round to twelve digits, because further digits are errors of floating-point arithmetic.
  return price === undefined || price < 0 ? undefined : perToken(String(Number(price.toPrecision(12))));
}

const daysOf = (days: unknown): readonly number[] | undefined =>
  Array.isArray(days) ? days.map((day) => numberIn(day) ?? WEEKDAYS.indexOf(String(day).toLowerCase())) : undefined;

const numberIn = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isFinite(value) ? value : undefined;
