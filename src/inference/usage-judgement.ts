import type { UsageAnomaly } from '../billing/open-call.js';
import type { CatalogueEndpoint } from '../catalogue/catalogue-model.js';
import type { Nano } from '../kernel/money.js';
import type { ReportedUsage } from '../providers/spec/endpoint-call.js';
import { priceOf, type Quantity } from '../catalogue/price.js';
import type { Attempt, Charge, Output, PreparedRequest, TokenCounts, Usage } from './task.js';

/** What a vendor's report is judged by. */
export interface UsageTerms {
  /** What the call produced. */
  readonly output: Output;
  /** Whether the price follows from tokens; otherwise the report changes no price. */
  readonly isPricedByTokens: boolean;
  /** What else the price follows from, if the vendor counts it. */
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
export interface JudgedUsage {
  readonly usage: Usage;
  readonly price: Nano;
  readonly anomaly?: UsageAnomaly;
}

/** A request whose price follows from the lines of its endpoint's price list. */
export interface PreparedByLines extends PreparedRequest {
  /** The worst case is its price. */
  readonly maxUsage: Usage;
}

/** What a response is priced by, and what the vendor reports of it. */
export interface PricedResponse {
  readonly output: Output;
  readonly reported: ReportedUsage | undefined;
  readonly quantities: (usage: Usage) => Quantity[];
  readonly excessFactor: number;
  /** UsageTerms.believedPrice. */
  readonly believedPrice?: Nano;
}

/** The charge of a response whose endpoint is priced by lines: images, speech, transcription, ranking. */
export function chargeByLines(
  { planned: { endpoint, prepared }, endpointCall }: Attempt<PreparedByLines>,
  { output, reported, quantities, excessFactor, believedPrice }: PricedResponse,
): Charge {
  const judged = judgeUsage(reported, {
    output,
    isPricedByTokens: endpointCall.needsUsage === true,
    measure: measureOf(endpoint),
    maxUsage: prepared.maxUsage,
    maxPrice: prepared.worstCase,
    believedPrice,
    excessFactor,
    priceOf: (usage) => priceOf(endpoint.pricing, quantities(usage)),
  });
  const input = quantities(judged.usage).filter(({ billable }) => billable.startsWith('input_'));
  const inputPrice = priceOf(endpoint.pricing, input);
  // At most the whole price, which is capped where the vendor's report is excessive.
  return { ...judged, promptPrice: inputPrice < judged.price ? inputPrice : judged.price };
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
 * credential. A report that is missing or impossible is billed at the worst case; one that comes to more than
 * `excessFactor` times the worst case is billed at that, so that a larger count never costs less than a smaller one.
 */
export function judgeUsage(reported: ReportedUsage | undefined, terms: UsageTerms): JudgedUsage {
  const { output, measure, maxUsage, maxPrice, excessFactor } = terms;
  const tokens = countsOf(reported);
  if (!terms.isPricedByTokens && !measure) {
    const usage = { ...output, tokens: tokens ?? NO_TOKENS };
    return { usage, price: isSameOutput(output, maxUsage) ? maxPrice : terms.priceOf(usage) };
  }
  const billed = (used: Usage, price: Nano, kind: UsageAnomaly['kind']): JudgedUsage => ({
    usage: { ...output, tokens: used.tokens, ...(measure && { [measure]: used[measure] }) },
    price,
    anomaly: { kind, details: { reported: printable(reported), billed_nano: price.toString() } },
  });
  const fault = measure
    ? faultOfAmount(reported?.[measure])
    : (faultOf(reported?.promptTokens) ?? faultOf(reported?.completionTokens));
  if (fault) return billed(maxUsage, maxPrice, fault);
  const { believedPrice = 0n } = terms;
  const excess = maxPrice * BigInt(excessFactor);
  const usage = measure ? usageBy(measure, reported!, tokens) : tokens && { tokens };
  const price = usage && terms.priceOf({ ...output, ...usage });
  if (!usage || price! > (believedPrice > excess ? believedPrice : excess)) {
    const most = { ...maxUsage, tokens: times(maxUsage.tokens, excessFactor) };
    return billed(most, excess, 'usage_excessive');
  }
  return { usage: { ...output, ...usage }, price: price! };
}

/** Undefined if the amount is larger than any call can use. */
function usageBy(measure: Measure, reported: ReportedUsage, tokens: TokenCounts | undefined): Usage | undefined {
  const amount = reported[measure] as number;
  return amount > MAX_AMOUNT ? undefined : { tokens: tokens ?? NO_TOKENS, [measure]: amount };
}

/** Seconds and search units: thirty years, and exact in microseconds. */
export const MAX_AMOUNT = 1_000_000_000;

/** Vendors count in fractions too. */
function faultOfAmount(amount: unknown): 'usage_missing' | 'usage_invalid' | undefined {
  if (amount === undefined || amount === null) return 'usage_missing';
  return typeof amount === 'number' && amount >= 0 ? undefined : 'usage_invalid';
}

const isSameOutput = (one: Output, other: Output): boolean =>
  one.images === other.images && one.characters === other.characters;

function faultOf(count: unknown): 'usage_missing' | 'usage_invalid' | undefined {
  if (count === undefined || count === null) return 'usage_missing';
  // A number beyond the range of a double is parsed as Infinity: that is excessive, not invalid.
  return typeof count === 'number' && count >= 0 && (Number.isInteger(count) || count === Infinity)
    ? undefined
    : 'usage_invalid';
}

/** Undefined if a count is larger than what can be recorded exactly. */
function countsOf(reported: ReportedUsage | undefined): TokenCounts | undefined {
  const { promptTokens: prompt, completionTokens: completion } = reported ?? {};
  const { promptImageTokens: promptImage, promptAudioTokens: promptAudio } = reported ?? {};
  if (!isCount(prompt) || !isCount(completion)) return undefined;
  return {
    prompt,
    completion,
    promptImage: isCount(promptImage) ? promptImage : undefined,
    ...(isCount(promptAudio) ? { promptAudio } : {}),
  };
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

const times = ({ prompt, promptImage, promptAudio, completion }: TokenCounts, factor: number): TokenCounts => ({
  prompt: prompt * factor,
  promptImage: promptImage === undefined ? undefined : promptImage * factor,
  ...(promptAudio === undefined ? {} : { promptAudio: promptAudio * factor }),
  completion: completion * factor,
});

const MAX_PRINTED_CHARACTERS = 100;

/** The counts as reported, each bounded: a vendor may send any JSON. */
function printable(reported: ReportedUsage | undefined): Record<string, string> {
  return Object.fromEntries(
    Object.entries(reported ?? {}).map(([name, value]) => [
      name,
      (JSON.stringify(value) ?? 'undefined').slice(0, MAX_PRINTED_CHARACTERS),
    ]),
  );
}
