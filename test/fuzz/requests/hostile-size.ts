import type { RandomNumbers } from '../../support/random-numbers.js';

/**
 * The sizes of hostile values in bytes, with cumulative probabilities. Most are small, because a run contains many
 * values.
 */
const SIZES: readonly (readonly [upTo: number, bytes: number])[] = [
  [0.7, 300],
  [0.93, 4_000],
  [0.99, 60_000],
  [0.999, 400_000],
];

/** A hostile size of at most `cap`. Rarely `cap` itself. */
export function hostileSize(random: RandomNumbers, cap: number): number {
  const drawn = random.next();
  return Math.min(SIZES.find(([upTo]) => drawn < upTo)?.[1] ?? cap, cap);
}
