import { compareDecimals, parseDecimal, sum, times, toNano, type Decimal, type Nano } from '../kernel/money.js';

export const BILLABLES = [
  'output_image',
  'input_image',
  'input_font',
  'input_reference',
  'input_text',
  'input_audio',
  'output_text',
  'output_audio',
] as const;
type Billable = (typeof BILLABLES)[number];

export const PRICE_UNITS = ['image', 'megapixel', 'token', 'character', 'second', 'search_unit'] as const;
type PriceUnit = (typeof PRICE_UNITS)[number];

/** One line of a price list: the cost of one unit, as decimal text in USD. */
export interface ListedPrice {
  readonly billable: Billable;
  readonly unit: PriceUnit;
  readonly costUsd: string;
  /** The variant of the line, such as a quality or a size tier. A line without a variant is the general price. */
  readonly variant?: string;
}

/** The amount that a call used, or its upper bound. */
export interface Quantity {
  readonly billable: Billable;
  readonly unit: PriceUnit;
  /** Whole units, or millionths of the unit with `perMillion`. */
  readonly amount: number;
  /** True = `amount` counts millionths of the unit (pixels for megapixels, microseconds for seconds). */
  readonly perMillion?: boolean;
  /** The variants that apply, such as the quality and the tier of a picture. */
  readonly variants?: readonly string[];
}

/**
 * The price of a call: the sum of the exact products of each quantity and its line's cost. Only the sum is rounded,
 * half-up to the nano-dollar (docs/architecture.md, section 4). A quantity without a line costs nothing.
 */
export function priceOf(lines: readonly ListedPrice[], quantities: readonly Quantity[]): Nano {
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

const costs = new WeakMap<ListedPrice, Decimal | null>();

/** The parsed cost of a line, cached as long as the line exists; null if it cannot be parsed. */
function costOf(line: ListedPrice): Decimal | null {
  let cost = costs.get(line);
  if (cost === undefined) costs.set(line, (cost = parseDecimal(line.costUsd) ?? null));
  return cost;
}

/**
 * The price line of a quantity: the most expensive line of the requested variants, otherwise the general line. If
 * neither exists, the most expensive line of all variants, because the vendor may choose any of them.
 */
function lineFor(
  lines: readonly ListedPrice[],
  { billable, unit, variants }: Pick<Quantity, 'billable' | 'unit' | 'variants'>,
): ListedPrice | undefined {
  let requested: ListedPrice | undefined;
  let general: ListedPrice | undefined;
  let other: ListedPrice | undefined;
  for (const line of lines) {
    if (line.billable !== billable || line.unit !== unit) continue;
    if (line.variant === undefined) general ??= line;
    else if (variants?.includes(line.variant)) requested = moreExpensive(requested, line);
    else other = moreExpensive(other, line);
  }
  return requested ?? general ?? other;
}

function moreExpensive(a: ListedPrice | undefined, b: ListedPrice): ListedPrice {
  if (!a) return b;
  const [one, two] = [costOf(a), costOf(b)];
  if (!one || !two) return one ? a : b;
  return compareDecimals(two, one) > 0 ? b : a;
}

/** Whether a price of one unit is above a limit, both in USD. The limit is for 10^`scale` units: 6 = per million. */
export function isPriceAbove(price: string, limit: Decimal, scale = 0): boolean {
  return compareDecimals(parseDecimal(price)!, { units: limit.units, scale: limit.scale + scale }) > 0;
}
