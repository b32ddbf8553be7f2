import { compareDecimals, parseDecimal } from '../kernel/money.js';
import type { TokenPriceList, TokenPriceName, TokenPriceTier } from './token-price-list.js';

type Prices = Partial<Record<TokenPriceName, string>>;

/**
 * The highest price of several lists in each token class, for each prompt length. Prices for hours of the day count as
 * if they applied all day. Web searches get no price, because their price for an unknown model is unknown.
 */
export function highestPrices(lists: readonly TokenPriceList[]): TokenPriceList {
  const thresholds = new Set(
    lists.flatMap(({ tiers = [] }) => tiers.map(({ minPromptTokens = 0 }) => minPromptTokens)),
  );
  thresholds.delete(0);
  const at = (promptTokens: number): Prices => highest(lists.map((list) => pricesAt(list, promptTokens)));
  const tiers: TokenPriceTier[] = [...thresholds]
    .toSorted((a, b) => a - b)
    .map((minPromptTokens) => ({ ...at(minPromptTokens), minPromptTokens }));
  const base = at(0);
  return { ...base, prompt: base.prompt!, completion: base.completion!, ...(tiers.length > 0 ? { tiers } : {}) };
}

function pricesAt({ tiers = [], ...base }: TokenPriceList, promptTokens: number): Prices {
  let prices: Prices = base;
  for (const { minPromptTokens = 0, utcStart, utcEnd, utcDays, ...tier } of tiers) {
    if (minPromptTokens > promptTokens) continue;
    const isAlways = utcStart === undefined && utcEnd === undefined && utcDays === undefined;
    prices = isAlways ? { ...prices, ...tier } : highest([prices, tier]);
  }
  return prices;
}

function highest(all: readonly Prices[]): Prices {
  const result: Prices = {};
  for (const prices of all)
    for (const [name, price] of Object.entries(prices) as [TokenPriceName, string][]) {
      const present = result[name];
      if (name !== 'webSearch' && (present === undefined || isHigher(price, present))) result[name] = price;
    }
  return result;
}

const isHigher = (price: string, than: string): boolean =>
  compareDecimals(parseDecimal(price)!, parseDecimal(than)!) > 0;
