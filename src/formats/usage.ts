import type { Decimal } from '../kernel/money.js';

/**
 * What one call used, in one meaning for all vendors. Totals are inclusive: `prompt` contains what was read from a
 * cache, written to one, and spoken; `completion` contains reasoning, audio and image output. Whole numbers from 0.
 */
export interface TokenUsage {
  readonly prompt: number;
  readonly completion: number;
  readonly cacheRead: number;
  /** Written to a cache for five minutes, which is also what vendors with a single lifetime report. */
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  /** Audio of the prompt that was not read from a cache. */
  readonly inputAudio: number;
  readonly outputAudio: number;
  readonly reasoning: number;
  /** Tokens of generated pictures. */
  readonly outputImage: number;
  /** Pictures of the request. */
  readonly inputImages: number;
  readonly webSearches: number;
  readonly requests: number;
}

export type UsageClass = keyof TokenUsage;
/** Negative, fractional or no number at all; or larger than 2^53 - 1. */
export type CountFault = 'invalid' | 'excessive';

/** A vendor's report, translated. A class in neither `counts` nor `faults` was not reported; an explicit 0 is a 0. */
export interface VendorUsage {
  readonly counts: Partial<TokenUsage>;
  readonly faults: Readonly<Partial<Record<UsageClass, CountFault>>>;
  /** Tokens of the vendor's total beyond prompt and completion that no class accounts for. */
  readonly unattributed?: number;
  /** What its own tools did that no class counts, by the vendor's names; absent = nothing. */
  readonly unpriced?: Readonly<Record<string, number>>;
  /** The vendor's own price in USD, where it reports one. */
  readonly vendorCostUsd?: Decimal;
}

export const NO_USAGE: TokenUsage = {
  prompt: 0,
  completion: 0,
  cacheRead: 0,
  cacheWrite5m: 0,
  cacheWrite1h: 0,
  inputAudio: 0,
  outputAudio: 0,
  reasoning: 0,
  outputImage: 0,
  inputImages: 0,
  webSearches: 0,
  requests: 1,
};

/** One count as it was reported; undefined = it was not. */
export type ReportedCount = number | CountFault | undefined;

export function readCount(value: unknown): ReportedCount {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !(value >= 0)) return 'invalid';
  if (Number.isSafeInteger(value)) return value;
  // A number too large for JSON's readers arrives as Infinity.
  return Number.isInteger(value) || value === Infinity ? 'excessive' : 'invalid';
}

/** The sum of those that were reported; undefined where none was. */
export function addReadings(...readings: readonly ReportedCount[]): ReportedCount {
  let total: number | undefined;
  let fault: CountFault | undefined;
  for (const reading of readings) {
    if (typeof reading === 'number') total = (total ?? 0) + reading;
    else if (reading !== undefined && fault !== 'invalid') fault = reading;
  }
  return fault ?? readCount(total);
}

/** The report made of one reading for each class. */
export function reportOf(
  readings: Readonly<Partial<Record<UsageClass, ReportedCount>>>,
  rest: Pick<VendorUsage, 'unattributed' | 'unpriced' | 'vendorCostUsd'> = {},
): VendorUsage {
  const counts: Partial<Record<UsageClass, number>> = {};
  const faults: Partial<Record<UsageClass, CountFault>> = {};
  for (const name of Object.keys(readings) as UsageClass[]) {
    const reading = readings[name];
    if (typeof reading === 'number') counts[name] = reading;
    else if (reading !== undefined) faults[name] = reading;
  }
  return { counts, faults, ...rest };
}
