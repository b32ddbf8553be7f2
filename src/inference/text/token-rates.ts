import type { TokenPriceList, TokenPriceName, TokenPriceTier } from '../../catalogue/token-price-list.js';
import { parseDecimal, type Decimal } from '../../kernel/money.js';

/**
 * The price of every class in USD, exact. A class without a price in the list has the price of another class, or zero.
 */
export type TokenRates = Readonly<Record<TokenPriceName, Decimal>>;

interface Compiled {
  readonly base: TokenRates;
  /** Keyed by the positions of the tiers that apply together. */
  readonly withTiers: Map<string, TokenRates>;
}

const ZERO: Decimal = { units: 0n, scale: 0 };
/** A price list exists as long as its catalogue snapshot, so each list is compiled once. */
const compiled = new WeakMap<TokenPriceList, Compiled>();

/**
 * The rates of a request with this many prompt tokens, reserved at `at` (Unix milliseconds). The tiers that apply
 * determine the price of the whole request, including its output. Throws RangeError for a price that is not decimal
 * text of at least 0.
 */
export function ratesAt(list: TokenPriceList, promptTokens: number, at: number): TokenRates {
  let entry = compiled.get(list);
  if (!entry) compiled.set(list, (entry = { base: ratesOf(list), withTiers: new Map() }));
  if (!list.tiers) return entry.base;
  const positions = list.tiers.flatMap((tier, position) => (applies(tier, promptTokens, at) ? [position] : []));
  if (positions.length === 0) return entry.base;
  const key = positions.join();
  let rates = entry.withTiers.get(key);
  if (!rates) {
    const prices = positions.map((position) => namedPrices(list.tiers![position]!));
    entry.withTiers.set(key, (rates = ratesOf(Object.assign({}, list, ...prices) as TokenPriceList)));
  }
  return rates;
}

/** All sets of rates that can apply to a request with at most this many prompt tokens. */
export function ratesInReach(list: TokenPriceList, maxPromptTokens: number, at: number): readonly TokenRates[] {
  if (!list.tiers) return [ratesAt(list, 0, at)];
  const thresholds = list.tiers.map(({ minPromptTokens = 0 }) => minPromptTokens);
  const reachable = [0, ...thresholds.filter((threshold) => threshold <= maxPromptTokens)];
  return [...new Set(reachable.map((promptTokens) => ratesAt(list, promptTokens, at)))];
}

function ratesOf(prices: TokenPriceList): TokenRates {
  const rate = (name: TokenPriceName, fallback: Decimal): Decimal => {
    const text = prices[name];
    if (text === undefined) return fallback;
    const price = parseDecimal(text);
    if (!price || price.units < 0n) throw new RangeError(`the price ${name} must be decimal text of at least 0`);
    return price;
  };
  const prompt = rate('prompt', ZERO);
  const completion = rate('completion', ZERO);
  const cacheWrite = rate('cacheWrite', prompt);
  return {
    prompt,
    completion,
    cacheRead: rate('cacheRead', prompt),
    cacheWrite,
    cacheWrite1h: rate('cacheWrite1h', cacheWrite),
    inputAudio: rate('inputAudio', prompt),
    reasoning: rate('reasoning', completion),
    outputAudio: rate('outputAudio', completion),
    outputImage: rate('outputImage', completion),
    inputImage: rate('inputImage', ZERO),
    request: rate('request', ZERO),
    webSearch: rate('webSearch', ZERO),
  };
}

const CONDITIONS = new Set(['minPromptTokens', 'utcStart', 'utcEnd', 'utcDays']);
const namedPrices = (tier: TokenPriceTier): object =>
  Object.fromEntries(Object.entries(tier).filter(([name, value]) => !CONDITIONS.has(name) && value !== undefined));

function applies(tier: TokenPriceTier, promptTokens: number, at: number): boolean {
  if (promptTokens < (tier.minPromptTokens ?? 0)) return false;
  const { utcStart, utcEnd, utcDays } = tier;
  if (utcDays === undefined && utcStart === undefined && utcEnd === undefined) return true;
  const time = new Date(at);
  if (utcDays && !utcDays.includes(time.getUTCDay())) return false;
  const clock = time.getUTCHours() * 100 + time.getUTCMinutes();
  const [start, end] = [utcStart ?? 0, utcEnd ?? 2400];
  return start <= end ? clock >= start && clock < end : clock >= start || clock < end;
}
