import type { TokenPriceList } from '../catalogue/token-price-list.js';
import type { TokenPrice } from '../formats/billed-cost.js';
import { NO_USAGE, type TokenUsage } from '../formats/usage.js';
import { priceTokens } from './text/token-price.js';

/** The price of a text call with these tokens, at the prices that apply at the time `at`. */
export const priceOfText = (prices: TokenPriceList, used: Partial<TokenUsage>, at: Date): TokenPrice =>
  priceTokens(prices, { ...NO_USAGE, ...used }, at.getTime());
