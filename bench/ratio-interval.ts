import { median } from './measure.js';

export interface RatioInterval {
  readonly median: number;
  readonly low: number;
  readonly high: number;
}

/**
 * The median of ratios, and an interval that contains the true median with about 95 % confidence. Its bounds are two of
 * the ratios (order statistics).
 */
export function ratioInterval(ratios: readonly number[]): RatioInterval {
  const sorted = ratios.toSorted((a, b) => a - b);
  const rank = Math.max(0, Math.floor((ratios.length - 1.96 * Math.sqrt(ratios.length)) / 2));
  return { median: median(ratios), low: sorted[rank]!, high: sorted.at(-1 - rank)! };
}

export const percent = (ratio: number): string => `${((ratio - 1) * 100).toFixed(1)} %`;

export const describeRatios = (ratios: readonly number[]): string => {
  const { median, low, high } = ratioInterval(ratios);
  return `${percent(median)} (${percent(low)} to ${percent(high)}, ${ratios.length} pairs)`;
};
