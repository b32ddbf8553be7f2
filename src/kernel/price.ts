import { parseDecimal, sum, times, toNano, type Decimal, type Nano } from './money.js';

export type Billable = 'output_image' | 'input_image' | 'input_font' | 'input_reference' | 'input_text' | 'output_text' | 'output_audio';
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
  readonly variant?: string;
}

/**
 * The price of a call: the exact decimal product of every quantity with its line, rounded half-up to the nano-dollar
 * once (architecture section 4). A quantity that no line names costs nothing.
 */
export function priceOf(lines: readonly PriceLine[], quantities: readonly Quantity[]): Nano {
  const parts = quantities.flatMap((quantity) => {
    const line = lineFor(lines, quantity);
    const cost = line && costOf(line);
    if (!cost || quantity.amount === 0) return [];
    const exact = times(cost, BigInt(quantity.amount));
    return [quantity.perMillion ? { units: exact.units, scale: exact.scale + 6 } : exact];
  });
  return toNano(sum(parts));
}

const costs = new WeakMap<PriceLine, Decimal | null>();

/** The line's cost, read once: price lists live as long as their catalogue. */
function costOf(line: PriceLine): Decimal | null {
  let cost = costs.get(line);
  if (cost === undefined) costs.set(line, (cost = parseDecimal(line.costUsd) ?? null));
  return cost;
}

/** The line that prices a quantity: its own variant's first, else the general one. */
export function lineFor(lines: readonly PriceLine[], quantity: Pick<Quantity, 'billable' | 'unit' | 'variant'>): PriceLine | undefined {
  const fitting = lines.filter((line) => line.billable === quantity.billable && line.unit === quantity.unit);
  return (quantity.variant && fitting.find((line) => line.variant === quantity.variant)) || fitting.find((line) => line.variant === undefined);
}
