import type { UsageAnomaly } from '../../billing/bill.js';
import type { TokenPriceList } from '../../catalogue/token-price-list.js';
import type { Nano } from '../../kernel/money.js';
import { priceTokens } from './token-price.js';
import type { TokenPrice } from '../../formats/billed-cost.js';
import { NO_USAGE, type CountFault, type TokenUsage, type VendorUsage } from '../../formats/usage.js';
import type { WorstCase } from './worst-case.js';

/** The terms by which a vendor's report of a text call is judged. */
export interface TextUsageTerms {
  readonly prices: TokenPriceList;
  /** The time of the reservation, Unix milliseconds. */
  readonly at: number;
  readonly worstCase: WorstCase;
  /** The multiple of the worst case up to which a report is accepted. */
  readonly excessFactor: number;
  /**
   * Whether the call uses the caller's own credential. The caller then pays the vendor for classes that have no price
   * here.
   */
  readonly isOwnAccount?: boolean;
}

type JudgedTextUsage =
  | {
      readonly outcome: 'priced';
      readonly usage: TokenUsage;
      readonly price: TokenPrice;
      readonly anomaly?: UsageAnomaly;
    }
  /** Count the text (token-counter.ts) and bill `priceEstimate`. */
  | { readonly outcome: 'to_estimate'; readonly anomaly: UsageAnomaly };

/**
 * Judges a vendor's report of its usage, like usage-judgement.ts for images and speech. A report without prompt or
 * completion tokens, or with an invalid count, is replaced by an estimate. A report above `excessFactor` times the
 * worst case is billed at that limit. Pictures and the number of requests are counted by this service.
 */
export function judgeTextUsage(report: VendorUsage | undefined, terms: TextUsageTerms): JudgedTextUsage {
  const faults = Object.values<CountFault>(report?.faults ?? {});
  const details = { reported: { ...report?.counts, ...report?.faults } };
  if (faults.includes('invalid')) return { outcome: 'to_estimate', anomaly: { kind: 'usage_invalid', details } };
  const cap = terms.worstCase.price * BigInt(terms.excessFactor);
  const excess = (): JudgedTextUsage => ({
    outcome: 'priced',
    usage: times(maxUsage(terms.worstCase), terms.excessFactor),
    price: cappedPrice(terms.worstCase, BigInt(terms.excessFactor)),
    anomaly: { kind: 'usage_excessive', details: { ...details, billed_nano: cap.toString() } },
  });
  if (faults.length > 0) return excess();
  if (!report || report.counts.prompt === undefined || report.counts.completion === undefined)
    return { outcome: 'to_estimate', anomaly: { kind: 'usage_missing', details } };
  const usage = { ...NO_USAGE, inputImages: terms.worstCase.inputImages, ...report.counts };
  const price = priceTokens(terms.prices, usage, terms.at);
  if (price.price > cap) return excess();
  const unpriced = terms.isOwnAccount ? [] : unpricedClasses(report, usage, terms.prices);
  if (price.inconsistent.length === 0 && unpriced.length === 0) return { outcome: 'priced', usage, price };
  const kind = unpriced.length > 0 ? 'usage_unpriced' : 'usage_inconsistent';
  const totals = price.inconsistent.length > 0 ? { totals: price.inconsistent } : {};
  const named = unpriced.length > 0 ? { unpriced: Object.fromEntries(unpriced) } : {};
  return { outcome: 'priced', usage, price, anomaly: { kind, details: { ...details, ...totals, ...named } } };
}

/** Classes that the vendor counted and charges separately, and for which the endpoint has no price. */
function unpricedClasses(
  { unpriced = {} }: VendorUsage,
  { webSearches }: TokenUsage,
  { webSearch }: TokenPriceList,
): [string, number][] {
  const searches: [string, number][] = webSearches > 0 && webSearch === undefined ? [['web_search', webSearches]] : [];
  return [...searches, ...Object.entries(unpriced)];
}

/** The usage that this service counted, and its price. Neither exceeds the reservation. */
export function priceEstimate(
  counted: Pick<TokenUsage, 'prompt' | 'completion'> & Partial<Pick<TokenUsage, 'webSearches'>>,
  { prices, at, worstCase }: Omit<TextUsageTerms, 'excessFactor'>,
): { readonly usage: TokenUsage; readonly price: TokenPrice } {
  const max = maxUsage(worstCase);
  const usage = {
    ...NO_USAGE,
    inputImages: worstCase.inputImages,
    prompt: Math.min(counted.prompt, max.prompt),
    completion: Math.min(counted.completion, max.completion),
    webSearches: Math.min(counted.webSearches ?? 0, max.webSearches),
  };
  const price = priceTokens(prices, usage, at);
  return { usage, price: price.price > worstCase.price ? cappedPrice(worstCase, 1n) : price };
}

const maxUsage = ({ promptTokens, completionTokens, inputImages, webSearches }: WorstCase): TokenUsage => ({
  ...NO_USAGE,
  webSearches,
  prompt: promptTokens,
  completion: completionTokens,
  inputImages,
});

const times = (usage: TokenUsage, factor: number): TokenUsage => ({
  ...usage,
  prompt: usage.prompt * factor,
  completion: usage.completion * factor,
});

const cappedPrice = ({ price, promptPrice, completionPrice }: WorstCase, factor: Nano): TokenPrice => ({
  price: price * factor,
  promptPrice: promptPrice * factor,
  completionPrice: completionPrice * factor,
  cacheDiscount: 0n,
  inconsistent: [],
});
