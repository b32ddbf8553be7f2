import type { UsageAnomaly } from '../billing/bill.js';
import type { CatalogueEndpoint } from '../catalogue/catalogue-model.js';
import type { Nano } from '../kernel/money.js';
import type { ReportedUsage } from '../providers/ports/endpoint-call.js';
import { priceOf, type Quantity } from '../catalogue/price.js';
import {
  countsOf,
  exceedsTotal,
  faultOfAmount,
  faultOfCounts,
  isCount,
  partsOf,
  printableCounts,
  type UsageFault,
} from './reported-counts.js';
import type { Attempt, Charge, Output, PreparedRequest, TokenCounts, Usage } from './task.js';
import { whenReady } from './when-ready.js';

/** What a vendor's report is judged by. */
export interface UsageTerms {
  /** What the call produced. */
  readonly output: Output;
  /** Whether the price follows from tokens; otherwise the report changes no price. */
  readonly isPricedByTokens: boolean;
  /** Further quantities of the price, if the vendor counts them. */
  readonly measure?: Measure;
  /** The most that the call can have used, and its price. */
  readonly maxUsage: Usage;
  readonly maxPrice: Nano;
  /** A price up to which a report is believed, even if it is more than `excessFactor` times the worst case. */
  readonly believedPrice?: Nano;
  /** How many times the worst case a report may come to before it is not believed. */
  readonly excessFactor: number;
  readonly priceOf: (usage: Usage) => Nano;
}

/** Amounts other than tokens that vendors count. */
type Measure = 'seconds' | 'searchUnits';

/** What the call is billed by. */
interface BilledUsage {
  readonly usage: Usage;
  readonly price: Nano;
  readonly anomaly?: UsageAnomaly;
}

/** A fault: the report is not used, and what can be counted is billed. */
type JudgedUsage = BilledUsage | { readonly fault: UsageFault };

/** A request whose price follows from the lines of its endpoint's price list. */
export interface PreparedByLines extends PreparedRequest {
  /** The worst case is its price. */
  readonly maxUsage: Usage;
}

/** The quantities that a response is priced by, and the vendor's report of them. */
export interface PricedResponse {
  readonly output: Output;
  readonly reported: ReportedUsage | undefined;
  readonly quantities: (usage: Usage) => Quantity[];
  readonly excessFactor: number;
  /** UsageTerms.believedPrice. */
  readonly believedPrice?: Nano;
  /** What the gateway can count itself, where the report is missing or impossible. */
  readonly counted: () => Usage | Promise<Usage>;
}

/** The charge of a response whose endpoint is priced by lines: images, speech, transcription, ranking. */
export function chargeByLines(
  { planned: { endpoint, prepared }, endpointCall }: Attempt<PreparedByLines>,
  { output, reported, quantities, excessFactor, believedPrice, counted }: PricedResponse,
): Charge | Promise<Charge> {
  const terms: UsageTerms = {
    output,
    isPricedByTokens: endpointCall.needsUsage === true,
    measure: measureOf(endpoint),
    maxUsage: prepared.maxUsage,
    maxPrice: prepared.worstCase,
    believedPrice,
    excessFactor,
    priceOf: (usage) => priceOf(endpoint.pricing, quantities(usage)),
  };
  const toCharge = (billed: BilledUsage): Charge => {
    const input = quantities(billed.usage).filter(({ billable }) => billable.startsWith('input_'));
    const inputPrice = priceOf(endpoint.pricing, input);
    // At most the whole price, which is capped where the vendor's report is excessive.
    return { ...billed, promptPrice: inputPrice < billed.price ? inputPrice : billed.price };
  };
  const judged = judgeUsage(reported, terms);
  if (!('fault' in judged)) return toCharge(judged);
  return whenReady([counted()], ([usage]) => ({
    ...toCharge(billCounted(usage!, judged.fault, reported, terms)),
    facts: { usageEstimated: true },
  }));
}

export const NO_TOKENS: TokenCounts = { prompt: 0, completion: 0 };

/** Whether the price of a call follows from the tokens that the vendor counts. */
export const isPricedByTokens = (endpoint: CatalogueEndpoint): boolean =>
  endpoint.pricing.some((line) => line.unit === 'token');

function measureOf({ pricing }: CatalogueEndpoint): Measure | undefined {
  for (const { unit } of pricing) {
    if (unit === 'second') return 'seconds';
    if (unit === 'search_unit') return 'searchUnits';
  }
  return undefined;
}

/** Tokens that vendors add to a prompt: its frame, and some for every picture. */
export const FRAME_TOKENS = 64;

/** An upper bound of the tokens of a text: none is shorter than a byte. */
export const maxTokensOf = (text: string): number => Buffer.byteLength(text) + FRAME_TOKENS;

/**
 * The one place that decides whether a vendor's report of its usage is believed, for every adapter and every
 * credential. A report that is missing or impossible is billed by what can be counted; one that comes to more than
 * `excessFactor` times the worst case is billed at that, so that a larger count never costs less than a smaller one.
 */
function judgeUsage(reported: ReportedUsage | undefined, terms: UsageTerms): JudgedUsage {
  const { output, measure, maxUsage, maxPrice, excessFactor } = terms;
  const tokens = countsOf(reported);
  if (!terms.isPricedByTokens && !measure) {
    const usage = { ...output, tokens: tokens ?? NO_TOKENS };
    return { usage, price: isSameOutput(output, maxUsage) ? maxPrice : terms.priceOf(usage) };
  }
  const fault = measure ? faultOfAmount(reported?.[measure]) : faultOfCounts(reported ?? {});
  if (fault) return { fault };
  const { believedPrice = 0n } = terms;
  const excess = maxPrice * BigInt(excessFactor);
  const used = measure ? usageBy(measure, reported!, tokens) : tokens && { tokens };
  const price = used && terms.priceOf({ ...output, ...used });
  if (!used || price! > (believedPrice > excess ? believedPrice : excess)) {
    const most = times(maxUsage.tokens, excessFactor);
    const usage = { ...output, tokens: most, ...(measure && { [measure]: maxUsage[measure] }) };
    return { usage, price: excess, anomaly: anomalyOf('usage_excessive', reported, excess) };
  }
  const usage = { ...output, ...used };
  if (measure || !exceedsTotal(reported!)) return { usage, price: price! };
  return { usage, price: price!, anomaly: anomalyOf('usage_inconsistent', reported, price!) };
}

/** Bills what was counted, at most the worst case. Where a report only lacks one of two counts, the other is used. */
function billCounted(
  counted: Usage,
  fault: UsageFault,
  reported: ReportedUsage = {},
  { output, measure, maxUsage, maxPrice, priceOf }: UsageTerms,
): BilledUsage {
  const { promptTokens, completionTokens } = fault === 'usage_missing' ? reported : NO_REPORT;
  const own = counted.tokens;
  const prompt = isCount(promptTokens) ? { prompt: promptTokens, ...partsOf(reported, promptTokens) } : own;
  const completion = isCount(completionTokens) ? completionTokens : own.completion;
  const tokens = {
    ...prompt,
    prompt: Math.min(prompt.prompt, maxUsage.tokens.prompt),
    completion: Math.min(completion, maxUsage.tokens.completion),
  };
  const amount = measure && { [measure]: Math.min(counted[measure] ?? 0, maxUsage[measure] ?? 0) };
  const usage = { ...output, tokens, ...amount };
  const countedPrice = priceOf(usage);
  const price = countedPrice < maxPrice ? countedPrice : maxPrice;
  return { usage, price, anomaly: anomalyOf(fault, reported, price) };
}

const NO_REPORT: ReportedUsage = {};

const anomalyOf = (kind: UsageAnomaly['kind'], reported: ReportedUsage | undefined, price: Nano): UsageAnomaly => ({
  kind,
  details: { reported: printableCounts(reported), billed_nano: price.toString() },
});

/** Undefined if the amount is larger than any call can use. */
function usageBy(measure: Measure, reported: ReportedUsage, tokens: TokenCounts | undefined): Usage | undefined {
  const amount = reported[measure] as number;
  return amount > MAX_AMOUNT ? undefined : { tokens: tokens ?? NO_TOKENS, [measure]: amount };
}

/** Seconds and search units: thirty years, and exact in microseconds. */
export const MAX_AMOUNT = 1_000_000_000;

const isSameOutput = (one: Output, other: Output): boolean =>
  one.images === other.images && one.characters === other.characters;

const times = ({ prompt, promptImage, promptAudio, completion }: TokenCounts, factor: number): TokenCounts => ({
  prompt: prompt * factor,
  promptImage: promptImage === undefined ? undefined : promptImage * factor,
  ...(promptAudio === undefined ? {} : { promptAudio: promptAudio * factor }),
  completion: completion * factor,
});
