import type { Decimal } from '../kernel/money.js';

/**
 * The usage of one call, with the same meaning for all vendors. Totals include their parts: `prompt` includes tokens
 * read from a cache, tokens written to a cache, and audio; `completion` includes reasoning, audio and image output. All
 * counts are whole numbers of at least 0.
 */
export interface TokenUsage {
  readonly prompt: number;
  readonly completion: number;
  readonly cacheRead: number;
  /** Tokens written to a cache for five minutes, or by a vendor that does not report the lifetime. */
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
  /** Audio of the prompt, except audio that was read from a cache. */
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

type UsageClass = keyof TokenUsage;
/** `invalid`: negative, fractional or no number. `excessive`: larger than 2^53 - 1. */
export type CountFault = 'invalid' | 'excessive';

/**
 * A vendor's report in canonical form. A class in neither `counts` nor `faults` was not reported. A reported 0 is in
 * `counts`.
 */
export interface VendorUsage {
  readonly counts: Partial<TokenUsage>;
  readonly faults: Readonly<Partial<Record<UsageClass, CountFault>>>;
  /** Tokens in the vendor's total that are not part of any class. */
  readonly unattributed?: number;
  /** Uses of the vendor's own tools that are not part of any class, by the vendor's names; absent = none. */
  readonly unpriced?: Readonly<Record<string, number>>;
  /** The vendor's own price in USD, if it reports one. */
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

/** One reported count; undefined = not reported. */
export type ReportedCount = number | CountFault | undefined;

export function readCount(value: unknown): ReportedCount {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'number' || !(value >= 0)) return 'invalid';
  if (Number.isSafeInteger(value)) return value;
  // JSON parsers return Infinity for a number that is too large.
  return Number.isInteger(value) || value === Infinity ? 'excessive' : 'invalid';
}

/** The sum of the reported counts; the fault if a count has one; undefined if none was reported. */
export function addReadings(...readings: readonly ReportedCount[]): ReportedCount {
  let total: number | undefined;
  let fault: CountFault | undefined;
  for (const reading of readings) {
    if (typeof reading === 'number') total = (total ?? 0) + reading;
    else if (reading !== undefined && fault !== 'invalid') fault = reading;
  }
  return fault ?? readCount(total);
}

/** Builds a report from one reading per class. */
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
