/** An amount of money in nano-dollars (10⁻⁹ USD). The service stores and adds amounts in this unit. */
export type Nano = bigint;

/** The smallest amount of the ledger, a nano-dollar. */
export const MIN_AMOUNT_USD = 1e-9;
/** The maximum limit. A larger limit may exceed MAX_NANO in nano-dollars. */
export const MAX_LIMIT_USD = 9_000_000_000;
/** The maximum of PostgreSQL's bigint, the type of stored amounts. */
export const MAX_NANO: Nano = 9_223_372_036_854_775_807n;

/** An amount that is added to a limit until a time. */
export interface Raise {
  readonly amount: Nano;
  readonly until: Date;
}

export const lesser = (one: Nano, other: Nano): Nano => (one < other ? one : other);

/** An exact decimal: `units` × 10^-`scale`. Catalogue prices have far more digits than a nano-dollar. */
export interface Decimal {
  readonly units: bigint;
  readonly scale: number;
}

const DECIMAL = /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d{1,4}))?$/;

/** Reads decimal text such as `0.00003`, `12` or `1e-7`; undefined for anything else. */
export function parseDecimal(text: string): Decimal | undefined {
  const match = DECIMAL.exec(text);
  if (!match) return undefined;
  const [, sign, whole = '', fraction = '', exponent = '0'] = match;
  if (whole === '' && fraction === '') return undefined;
  const units = BigInt(`${whole}${fraction}`) * (sign === '-' ? -1n : 1n);
  const scale = fraction.length - Number(exponent);
  return scale >= 0 ? { units, scale } : { units: units * 10n ** BigInt(-scale), scale: 0 };
}

const powers: bigint[] = [];
/** Memoised, because prices need only a few powers. */
const powerOfTen = (exponent: number): bigint => (powers[exponent] ??= 10n ** BigInt(exponent));

/** Multiplies a price per unit by a whole number of units, exactly. */
export const times = (price: Decimal, quantity: bigint): Decimal => ({
  units: price.units * quantity,
  scale: price.scale,
});

/** Adds exactly. */
export function sum(amounts: readonly Decimal[]): Decimal {
  if (amounts.length === 1) return amounts[0]!;
  const scale = amounts.reduce((most, amount) => Math.max(most, amount.scale), 0);
  const units = amounts.reduce((total, amount) => total + amount.units * powerOfTen(scale - amount.scale), 0n);
  return { units, scale };
}

/** Compares exactly: negative if `a` is smaller. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const left = a.units * powerOfTen(scale - a.scale);
  const right = b.units * powerOfTen(scale - b.scale);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** An exact decimal as text, without exponent: `0.00000125`, `12`. */
export function decimalToText({ units, scale }: Decimal): string {
  const digits = (units < 0n ? -units : units).toString().padStart(scale + 1, '0');
  const fraction = digits.slice(digits.length - scale).replace(/0+$/, '');
  const whole = digits.slice(0, digits.length - scale);
  return `${units < 0n ? '-' : ''}${whole}${scale > 0 && fraction !== '' ? `.${fraction}` : ''}`;
}

/**
 * A price per unit (decimal text) times a whole number of units, as the nearest double. Returns 0 if the text is no
 * decimal.
 */
export function amountOf(price: string, quantity: number): number {
  const decimal = parseDecimal(price);
  return decimal ? Number(decimalToText(times(decimal, BigInt(Math.round(quantity))))) : 0;
}

/** Converts dollars to nano-dollars. Rounds once; halves are rounded away from zero. */
export function toNano(usd: Decimal): Nano {
  if (usd.scale <= 9) return usd.units * powerOfTen(9 - usd.scale);
  const divisor = powerOfTen(usd.scale - 9);
  const magnitude = usd.units < 0n ? -usd.units : usd.units;
  const rounded = (magnitude * 2n + divisor) / (divisor * 2n);
  return usd.units < 0n ? -rounded : rounded;
}

/** Rounds a USD amount from a request, with any number of digits, to nano-dollars. Throws RangeError for other text. */
export function usdToNano(usd: number | string): Nano {
  const decimal = parseDecimal(String(usd));
  if (!decimal) throw new RangeError(`not a decimal amount of USD: ${String(usd)}`);
  return toNano(decimal);
}

/** An amount in USD with all its digits, at least two after the point: `12.50`, `0.000000014`. */
export function nanoToText(nano: Nano): string {
  const digits = (nano < 0n ? -nano : nano).toString().padStart(10, '0');
  const cents = digits.slice(-9).replace(/0{1,7}$/, '');
  return `${nano < 0n ? '-' : ''}${digits.slice(0, -9)}.${cents}`;
}

/** The nearest double of an amount in USD, for responses; JSON prints its shortest form. */
export const nanoToUsd = (nano: Nano): number => nanoTextToUsd(nano.toString());

/**
 * Like nanoToUsd, for an amount as decimal text, such as a sum that is too large for a bigint column. Moves the decimal
 * point instead of dividing.
 */
export function nanoTextToUsd(nano: string): number {
  const sign = nano.startsWith('-') ? '-' : '';
  const digits = nano.slice(sign.length).padStart(10, '0');
  return Number(`${sign}${digits.slice(0, -9)}.${digits.slice(-9)}`);
}
