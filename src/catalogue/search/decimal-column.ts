import { compareDecimals, parseDecimal, type Decimal } from '../../kernel/money.js';

/**
 * A column of exact decimals. Each value is replaced by its rank among the distinct values, so that comparisons use
 * small integers and are exact. An unknown value has rank -1.
 */
export class DecimalColumn {
  readonly ranks: Int32Array;
  readonly #distinct: readonly Decimal[];

  constructor(values: readonly (Decimal | undefined)[]) {
    // Sort only the distinct values, because many models have the same prices.
    const written = new Map(values.flatMap((value) => (value ? [[nameOf(value), value] as const] : [])));
    const known = [...written.values()].toSorted(compareDecimals);
    this.#distinct = known.filter((value, index) => index === 0 || compareDecimals(known[index - 1]!, value) !== 0);
    const ranks = new Map([...written].map(([name, value]) => [name, this.rankFrom(value)]));
    this.ranks = Int32Array.from(values, (value) => (value ? ranks.get(nameOf(value))! : -1));
  }

  /** The number of ranks. */
  get size(): number {
    return this.#distinct.length;
  }

  /** The lowest rank with a value of at least `bound`; `size` = none. */
  rankFrom(bound: Decimal): number {
    let low = 0;
    let high = this.#distinct.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (compareDecimals(this.#distinct[middle]!, bound) < 0) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  /** The highest rank with a value of at most `bound`; -1 = none. */
  rankTo(bound: Decimal): number {
    const from = this.rankFrom(bound);
    const exact = from < this.#distinct.length && compareDecimals(this.#distinct[from]!, bound) === 0;
    return exact ? from : from - 1;
  }
}

/** A value may have several notations (trailing zeros), which get the same rank. */
const nameOf = ({ units, scale }: Decimal): string => `${units}e-${scale}`;

/** Parses a catalogue price; undefined for "-1" (unknown). */
export function knownPrice(text: string): Decimal | undefined {
  const value = parseDecimal(text);
  return value && value.units >= 0n ? value : undefined;
}
