import { decimalToText, parseDecimal } from '../../kernel/money.js';

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
