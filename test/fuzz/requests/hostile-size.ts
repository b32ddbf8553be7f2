import type { RandomNumbers } from '../../support/random-numbers.js';

/** Sizes of hostile values in bytes, and how often each is drawn: most are small, because a run has many of them. */
const SIZES: readonly (readonly [upTo: number, bytes: number])[] = [
  [0.7, 300],
  [0.93, 4_000],
  [0.99, 60_000],
  [0.999, 400_000],
];

/** A hostile size below a cap. Rarely the cap itself. */
export function hostileSize(random: RandomNumbers, cap: number): number {
  const drawn = random.next();
  return Math.min(SIZES.find(([upTo]) => drawn < upTo)?.[1] ?? cap, cap);
}
