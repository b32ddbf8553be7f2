import { SeededRandom } from '../../src/operator/demo/seeded-random.js';

/** Seeded random choices, so that a failing case can be repeated with its seed. */
export class RandomNumbers extends SeededRandom {
  /** A whole number from `least` to `most`, both inclusive. */
  int(least: number, most: number): number {
    return least + Math.floor(this.next() * (most - least + 1));
  }

  pick<T>(from: readonly T[]): T {
    return from[this.int(0, from.length - 1)]!;
  }

  /** A random subset, in random order. */
  some<T>(from: readonly T[], count: number): T[] {
    const left = [...from];
    return Array.from({ length: Math.min(count, left.length) }, () => left.splice(this.int(0, left.length - 1), 1)[0]!);
  }
}
