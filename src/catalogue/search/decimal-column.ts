import { parseDecimal, type Decimal } from '../../kernel/money.js';
import { compareDecimals } from '../entries/token-price.js';

/**
 * A column of exact decimals, each replaced by its rank among the distinct ones, so that comparing is comparing small
 * integers and still exact. An unknown value has no rank (-1).
 */
export class DecimalColumn {
  readonly ranks: Int32Array;
  readonly #distinct: readonly Decimal[];

  constructor(values: readonly (Decimal | undefined)[]) {
    // Many models share few prices: only the distinct ones are compared and sorted.
    const written = new Map(values.flatMap((value) => (value ? [[nameOf(value), value] as const] : [])));
    const known = [...written.values()].toSorted(compareDecimals);
    this.#distinct = known.filter((value, index) => index === 0 || compareDecimals(known[index - 1]!, value) !== 0);
    const ranks = new Map([...written].map(([name, value]) => [name, this.rankFrom(value)]));
    this.ranks = Int32Array.from(values, (value) => (value ? ranks.get(nameOf(value))! : -1));
  }

  /** The least rank whose value is at least `bound`. */
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

  /** The greatest rank whose value is at most `bound`; -1 where there is none. */
  rankTo(bound: Decimal): number {
    const from = this.rankFrom(bound);
    const exact = from < this.#distinct.length && compareDecimals(this.#distinct[from]!, bound) === 0;
    return exact ? from : from - 1;
  }
}

/** One value may be written with more or fewer zeros; it gets the same rank under each. */
const nameOf = ({ units, scale }: Decimal): string => `${units}e-${scale}`;

/** A catalogue price; "-1" says that it is unknown. */
export function knownPrice(text: string): Decimal | undefined {
  const value = parseDecimal(text);
  return value && value.units >= 0n ? value : undefined;
}
