import { RandomNumbers } from './random-numbers.js';

/** `HOSTILE_SEED=7` draws other samples. */
const random = new RandomNumbers(Number(process.env['HOSTILE_SEED'] ?? 1));

/** A sample of the given size, in random order; every run with the same seed draws the same. */
export const drawn = <T>(all: readonly T[], count: number): readonly T[] =>
  count >= all.length ? all : random.some(all, count);
