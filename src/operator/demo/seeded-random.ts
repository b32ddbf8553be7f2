import type { Spread } from './demo-data.js';

/** A seeded random number generator (mulberry32). */
export class SeededRandom {
  #state: number;

  constructor(seed: number) {
    this.#state = seed >>> 0;
  }

  /** A number from 0 (inclusive) to 1 (exclusive). */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) >>> 0;
    let t = this.#state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  /** A number from `least` (inclusive) to `most` (exclusive). */
  between(least: number, most: number): number {
    return least + this.next() * (most - least);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** Draws an element; `weightOf` gives its weight. */
  weighted<T>(elements: readonly T[], weightOf: (element: T, index: number) => number): T {
    const weights = elements.map(weightOf);
    let rest = this.next() * weights.reduce((sum, weight) => sum + weight, 0);
    const index = weights.findIndex((weight) => (rest -= weight) < 0);
    return elements[index === -1 ? elements.length - 1 : index]!;
  }

  /** A whole number of a log-normal distribution; 0 without a spread. */
  spread(spread: Spread | undefined): number {
    if (!spread) return 0;
    const [median, deviation] = spread;
    const normal = Math.sqrt(-2 * Math.log(1 - this.next())) * Math.cos(2 * Math.PI * this.next());
    return Math.round(median * Math.exp(deviation * Math.max(-2.5, Math.min(2.5, normal))));
  }
}
