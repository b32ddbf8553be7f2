import { parseDecimal, sum, times, toNano, type Decimal, type Nano } from './money.js';

export type Billable =
  'output_image' | 'input_image' | 'input_font' | 'input_reference' | 'input_text' | 'output_text' | 'output_audio';
export type PriceUnit = 'image' | 'megapixel' | 'token' | 'character';

/** One line of a price list: what one unit of something costs, as decimal text in USD. */
export interface PriceLine {
  readonly billable: Billable;
  readonly unit: PriceUnit;
  readonly costUsd: string;
  /** Narrows the line, such as a quality or size tier; a line without one is the general price. */
  readonly variant?: string;
}

/** How much of something a call used, or may use at most. */
export interface Quantity {
  readonly billable: Billable;
  readonly unit: PriceUnit;
  /** Whole units. Fractions (megapixels) are given in millionths by `perMillion`. */
  readonly amount: number;
  /** True where `amount` counts millionths of the unit (pixels for megapixels). */
  readonly perMillion?: boolean;
  /** The words that a line's variant may narrow it by, such as the quality and the tier of a picture. */
  readonly variants?: readonly string[];
}

/**
 * The price of a call: the exact decimal product of every quantity with its line, rounded half-up to the nano-dollar
 * once (architecture section 4). A quantity that no line names costs nothing.
 */
export function priceOf(lines: readonly PriceLine[], quantities: readonly Quantity[]): Nano {
  const parts: Decimal[] = [];
  for (const quantity of quantities) {
    if (quantity.amount === 0) continue;
    const line = lineFor(lines, quantity);
    const cost = line && costOf(line);
    if (!cost) continue;
    const exact = times(cost, BigInt(quantity.amount));
    parts.push(quantity.perMillion ? { units: exact.units, scale: exact.scale + 6 } : exact);
  }
  return toNano(sum(parts));
}

const costs = new WeakMap<PriceLine, Decimal | null>();

/** The line's cost, read once: price lists live as long as their catalogue. */
function costOf(line: PriceLine): Decimal | null {
  let cost = costs.get(line);
  if (cost === undefined) costs.set(line, (cost = parseDecimal(line.costUsd) ?? null));
  return cost;
}

/**
 * The line that prices a quantity: the dearest of its variants that are asked for, else the general one. Where only variants
 * have a price and none of them is asked for, the vendor may choose any: the dearest.
 */
export function lineFor(
  lines: readonly PriceLine[],
  { billable, unit, variants }: Pick<Quantity, 'billable' | 'unit' | 'variants'>,
): PriceLine | undefined {
  let asked: PriceLine | undefined;
  let general: PriceLine | undefined;
  let other: PriceLine | undefined;
  for (const line of lines) {
    if (line.billable !== billable || line.unit !== unit) continue;
    if (line.variant === undefined) general ??= line;
    else if (variants?.includes(line.variant)) asked = dearer(asked, line);
    else other = dearer(other, line);
  }
  return asked ?? general ?? other;
}

function dearer(a: PriceLine | undefined, b: PriceLine): PriceLine {
  if (!a) return b;
  const [one, two] = [costOf(a), costOf(b)];
  if (!one || !two) return one ? a : b;
  return two.units * 10n ** BigInt(one.scale) > one.units * 10n ** BigInt(two.scale) ? b : a;
}
