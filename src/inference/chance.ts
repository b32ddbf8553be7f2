/** Where planning leaves something to chance, this decides; a test puts its own numbers in its place. */
export abstract class Chance {
  /** From 0 up to, not including, 1. */
  abstract next(): number;
}

export class RandomChance extends Chance {
  next(): number {
    return Math.random();
  }
}
