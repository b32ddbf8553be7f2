import { decimalToText, parseDecimal, type Decimal } from '../../kernel/money.js';

/** Exact decimal text of a price per million tokens as a price per token: "1.25" → "0.00000125". */
export const perToken = (usdPerMillion: string): string => shifted(usdPerMillion, 6);

/** Exact decimal text of a price per token as a price per million: "0.00000125" → "1.25". */
export const perMillion = (usdPerToken: string): string => shifted(usdPerToken, -6);

function shifted(text: string, by: number): string {
  const value = parseDecimal(text);
  if (!value) throw new RangeError(`not a decimal amount: ${text}`);
  const scale = value.scale + by;
  return decimalToText(
    scale >= 0 ? { units: value.units, scale } : { units: value.units * 10n ** BigInt(-scale), scale: 0 },
  );
}

/** Exact comparison of decimals: negative if `a` is smaller. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const scale = Math.max(a.scale, b.scale);
  const left = a.units * 10n ** BigInt(scale - a.scale);
  const right = b.units * 10n ** BigInt(scale - b.scale);
  return left < right ? -1 : left > right ? 1 : 0;
}
