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

/** The terms by which a vendor's report is judged. */
interface UsageTerms extends Pick<PricedResponse, 'output' | 'excessFactor' | 'maxAcceptedPrice'> {
  /**
   * Whether the price depends on tokens. If it does not, and there is no `measure`, the report does not change the
   * price.
   */
  readonly isPricedByTokens: boolean;
  /** Another quantity that the price depends on, if the vendor counts it. */
  readonly measure?: Measure;
  /** The maximum usage of the call. */
  readonly maxUsage: Usage;
  /** The price of the maximum usage: the worst case. */
  readonly maxPrice: Nano;
  readonly priceOf: (usage: Usage) => Nano;
}

/** Amounts other than tokens that vendors count. */
type Measure = 'seconds' | 'searchUnits';

/** The usage for which the call is billed. */
interface BilledUsage {
  readonly usage: Usage;
  readonly price: Nano;
  readonly anomaly?: UsageAnomaly;
}

/** If there is a fault, the report is not used, and the gateway's own count is billed. */
type JudgedUsage = BilledUsage | { readonly fault: UsageFault };

/** A request that is priced by the lines of its endpoint's price list. */
export interface PreparedByLines extends PreparedRequest {
  /** The usage whose price is the worst case. */
  readonly maxUsage: Usage;
}

/** The quantities by which a response is priced, and the vendor's report of them. */
interface PricedResponse {
  /** The output of the call. */
  readonly output: Output;
  readonly reported: ReportedUsage | undefined;
  readonly quantities: (usage: Usage) => Quantity[];
  /** The multiple of the worst case up to which a report is accepted. */
  readonly excessFactor: number;
  /** A report is accepted up to this price, even above `excessFactor` times the worst case. */
  readonly maxAcceptedPrice?: Nano;
  /** The gateway's own count. Called if the report is missing or invalid. */
  readonly counted: () => Usage | Promise<Usage>;
}

/** The charge of a response whose endpoint is priced by lines: images, speech, transcription, ranking. */
export function chargeByLines(
  { planned: { endpoint, prepared }, endpointCall }: Attempt<PreparedByLines>,
  { output, reported, quantities, excessFactor, maxAcceptedPrice, counted }: PricedResponse,
): Charge | Promise<Charge> {
  const terms: UsageTerms = {
    output,
    isPricedByTokens: endpointCall.needsUsage === true,
    measure: measureOf(endpoint),
    maxUsage: prepared.maxUsage,
    maxPrice: prepared.worstCase,
    maxAcceptedPrice,
    excessFactor,
    priceOf: (usage) => priceOf(endpoint.pricing, quantities(usage)),
  };
  const toCharge = (billed: BilledUsage): Charge => {
    const input = quantities(billed.usage).filter(({ billable }) => billable.startsWith('input_'));
    const inputPrice = priceOf(endpoint.pricing, input);
    // At most the whole price, which is limited if the vendor's report is excessive.
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

/** Whether the price of a call depends on the tokens that the vendor counts. */
export const isPricedByTokens = (endpoint: CatalogueEndpoint): boolean =>
  endpoint.pricing.some((line) => line.unit === 'token');

function measureOf({ pricing }: CatalogueEndpoint): Measure | undefined {
  for (const { unit } of pricing) {
    if (unit === 'second') return 'seconds';
    if (unit === 'search_unit') return 'searchUnits';
  }
  return undefined;
}

/** Tokens that vendors add to a prompt for its framing and for pictures. */
export const FRAME_TOKENS = 64;

/** An upper limit on the number of tokens of a text, because no token is shorter than a byte. */
export const maxTokensOf = (text: string): number => Buffer.byteLength(text) + FRAME_TOKENS;

/**
 * Decides, for every adapter and every credential, whether a vendor's report of its usage is accepted. If a report is
 * missing or invalid, the gateway's own count is billed. A report above `excessFactor` times the worst case is billed
 * at that limit, so that a larger count never costs less than a smaller one.
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
  const { maxAcceptedPrice = 0n } = terms;
  const excess = maxPrice * BigInt(excessFactor);
  const used = measure ? usageBy(measure, reported!, tokens) : tokens && { tokens };
  const price = used && terms.priceOf({ ...output, ...used });
  if (!used || price! > (maxAcceptedPrice > excess ? maxAcceptedPrice : excess)) {
    const most = times(maxUsage.tokens, excessFactor);
    const usage = { ...output, tokens: most, ...(measure && { [measure]: maxUsage[measure] }) };
    return { usage, price: excess, anomaly: anomalyOf('usage_excessive', reported, excess) };
  }
  const usage = { ...output, ...used };
  if (measure || !exceedsTotal(reported!)) return { usage, price: price! };
  return { usage, price: price!, anomaly: anomalyOf('usage_inconsistent', reported, price!) };
}

/**
 * Bills the counted usage, at most the worst case. If a report has only one of the two token counts, that count is
 * used.
 */
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

/** Maximum for seconds and search units. As seconds it is about thirty years, and can be recorded to a microsecond. */
export const MAX_AMOUNT = 1_000_000_000;

const isSameOutput = (one: Output, other: Output): boolean =>
  one.images === other.images && one.characters === other.characters;

const times = ({ prompt, promptImage, promptAudio, completion }: TokenCounts, factor: number): TokenCounts => ({
  prompt: prompt * factor,
  promptImage: promptImage === undefined ? undefined : promptImage * factor,
  ...(promptAudio === undefined ? {} : { promptAudio: promptAudio * factor }),
  completion: completion * factor,
});
