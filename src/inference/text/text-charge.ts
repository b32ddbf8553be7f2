import type { TokenPriceList } from '../../catalogue/token-price-list.js';
import { NO_USAGE, type TokenUsage, type VendorUsage } from '../../formats/usage.js';
import { judgeTextUsage, priceEstimate, type TextUsageAnomaly, type TextUsageTerms } from './text-usage-judgement.js';
import type { TokenCounter } from './token-counter.js';
import { priceTokens } from './token-price.js';
import type { TokenPrice } from '../../formats/billed-cost.js';
import type { WorstCase } from './worst-case.js';

/** The usage and price that a text call is billed by. */
export interface TextCharge {
  readonly usage: TokenUsage;
  readonly price: TokenPrice;
  readonly anomaly?: TextUsageAnomaly;
  /** Whether the tokens were counted here, because the vendor reported none. */
  readonly isEstimated: boolean;
}

/** Facts of a response when it is billed. */
export interface ChargeableResponse {
  readonly report: VendorUsage | undefined;
  /** False where the caller left before its end. */
  readonly isWhole: boolean;
  readonly sawOutput: boolean;
  /** The texts that the model read, and those that it wrote; read only where they have to be counted. */
  readonly promptTexts: () => readonly string[];
  readonly completionTexts: () => readonly string[];
}

export interface ChargeTerms {
  readonly prices: TokenPriceList;
  /** The instant of the reservation, Unix milliseconds. */
  readonly at: number;
  readonly worstCase: WorstCase;
  readonly excessFactor: number;
  /** Whether the call is on the caller's own credential, whose bill is no concern of the operator. */
  readonly isOwnAccount?: boolean;
}

/**
 * The charge of a text call. A complete response is billed by the vendor's report, or by our count where that is
 * missing or impossible; one that its caller left by what was generated until then, never more than was reserved.
 * A complete response without any output is free, as long as the vendor reports no output either.
 */
export function chargeText(
  response: ChargeableResponse,
  terms: ChargeTerms,
  counter: TokenCounter,
): TextCharge | Promise<TextCharge> {
  if (!response.isWhole) return estimate(response, terms, counter, undefined);
  const judged = judgeTextUsage(response.report, terms satisfies TextUsageTerms);
  if (judged.outcome === 'to_estimate') return estimate(response, terms, counter, judged.anomaly);
  const { usage, price, anomaly } = judged;
  if (!response.sawOutput && usage.completion === 0 && terms.worstCase.choices > 0)
    return { usage, price: FREE, anomaly, isEstimated: false };
  return { usage, price, anomaly, isEstimated: false };
}

export const FREE: TokenPrice = {
  price: 0n,
  promptPrice: 0n,
  completionPrice: 0n,
  cacheDiscount: 0n,
  inconsistent: [],
};

/** Counts what was read and written. What the vendor has reported until then is believed where it is more. */
async function estimate(
  { report, promptTexts, completionTexts }: ChargeableResponse,
  { prices, at, worstCase }: ChargeTerms,
  counter: TokenCounter,
  anomaly: TextUsageAnomaly | undefined,
): Promise<TextCharge> {
  const reported = report && Object.keys(report.faults).length === 0 ? report.counts : {};
  const [prompt, completion] = await Promise.all([
    reported.prompt === undefined ? counter.count(promptTexts()) : { tokens: reported.prompt },
    counter.count(completionTexts()),
  ]);
  const counted = {
    prompt: prompt.tokens,
    completion: Math.max(completion.tokens, reported.completion ?? 0),
    webSearches: reported.webSearches ?? 0,
  };
  const estimated = priceEstimate(counted, { prices, at, worstCase });
  // Where the vendor counts as it goes, its own count is the bill.
  const isEstimated = reported.prompt === undefined || completion.tokens > (reported.completion ?? -1);
  // Cached tokens that the vendor reported at the beginning keep their own prices.
  const known = { ...NO_USAGE, inputImages: worstCase.inputImages, ...reported, ...counted };
  const exact = reported.prompt === undefined ? undefined : priceTokens(prices, known, at);
  return exact && exact.price <= worstCase.price
    ? { usage: known, price: exact, anomaly, isEstimated }
    : { ...estimated, anomaly, isEstimated: true };
}
