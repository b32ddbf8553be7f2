import type { UsageAnomaly } from '../../billing/bill.js';
import { NO_USAGE, type TokenUsage, type VendorUsage } from '../../formats/usage.js';
import { judgeTextUsage, priceEstimate, type TextUsageTerms } from './text-usage-judgement.js';
import type { TokenCounter } from './token-counter.js';
import { priceTokens } from './token-price.js';
import type { TokenPrice } from '../../formats/billed-cost.js';

/** The usage and price by which a text call is billed. */
export interface TextCharge {
  readonly usage: TokenUsage;
  readonly price: TokenPrice;
  readonly anomaly?: UsageAnomaly;
  /** Whether this service counted the tokens, or a part of them. */
  readonly isEstimated: boolean;
}

/** The facts about a response that affect its charge. */
interface ChargeableResponse {
  readonly report: VendorUsage | undefined;
  /** Whether the response was read to its end, even if the caller disconnected. */
  readonly isWhole: boolean;
  readonly sawOutput: boolean;
  /** The texts that the model read. Called only if they must be counted. */
  readonly promptTexts: () => readonly string[];
  /** The texts that the model wrote. Called only if they must be counted. */
  readonly completionTexts: () => readonly string[];
}

/**
 * The charge of a text call. A complete response is billed by the vendor's report, or by this service's count if the
 * report is missing or invalid. If the call ended when the caller disconnected, the output until then is billed, at
 * most the reserved amount. A complete response without output is free if the vendor reports no output either.
 */
export function chargeText(
  response: ChargeableResponse,
  terms: TextUsageTerms,
  counter: TokenCounter,
): TextCharge | Promise<TextCharge> {
  if (!response.isWhole) return estimate(response, terms, counter, undefined);
  const judged = judgeTextUsage(response.report, terms);
  if (judged.outcome === 'to_estimate') return estimate(response, terms, counter, judged.anomaly);
  const { usage, price, anomaly } = judged;
  const isFree = !response.sawOutput && usage.completion === 0 && terms.worstCase.choices > 0;
  return { usage, price: isFree ? FREE : price, anomaly, isEstimated: false };
}

export const FREE: TokenPrice = {
  price: 0n,
  promptPrice: 0n,
  completionPrice: 0n,
  cacheDiscount: 0n,
  inconsistent: [],
};

/**
 * Counts the tokens of the completion, and of the prompt unless the vendor reported it. If the vendor reported more
 * completion tokens than were counted, the reported number is used.
 */
async function estimate(
  { report, promptTexts, completionTexts }: ChargeableResponse,
  { prices, at, worstCase }: TextUsageTerms,
  counter: TokenCounter,
  anomaly: UsageAnomaly | undefined,
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
  // The usage is not an estimate if the vendor reported the prompt and at least the counted tokens of the completion.
  const isEstimated = reported.prompt === undefined || completion.tokens > (reported.completion ?? -1);
  // Cached tokens that the vendor reported before the end of the response keep their own prices.
  const known = { ...NO_USAGE, inputImages: worstCase.inputImages, ...reported, ...counted };
  const exact = reported.prompt === undefined ? undefined : priceTokens(prices, known, at);
  return exact && exact.price <= worstCase.price
    ? { usage: known, price: exact, anomaly, isEstimated }
    : { ...estimated, anomaly, isEstimated: true };
}
