import { invalidRequest } from '../../kernel/errors/errors.js';
import { parseDecimal, type Decimal } from '../../kernel/money.js';

/**
 * Parses the text of one query parameter; undefined = not set. Throws an `invalid_request` whose message names the
 * parameter.
 */
export type QueryReader<T> = (text: string, name: string) => T | undefined;

const DECIMAL = /^[+]?(\d+(\.\d*)?|\.\d+)([eE][+-]?\d{1,3})?$/;
const MAX_NUMBER_CHARACTERS = 60;

/** A numeric filter that is empty or `null` is not set (docs/api-rules.md, section 8). */
const isUnset = (text: string): boolean => text === '' || text === 'null';

export const word =
  <T extends string>(values: readonly T[], understood: (text: string) => string = (text) => text): QueryReader<T> =>
  (text, name) => {
    const found = values.find((value) => value === understood(text));
    if (found === undefined) throw invalidRequest(`${name} must be one of ${values.join(', ')}`);
    return found;
  };

export const text: QueryReader<string> = (given) => (given.trim() === '' ? undefined : given.trim());

export const list =
  (values?: readonly string[]): QueryReader<readonly string[]> =>
  (given, name) => {
    const items = given
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
    const wrong = values && items.find((item) => !values.includes(item));
    if (wrong !== undefined) throw invalidRequest(`${name} must be a comma-separated list of ${values!.join(', ')}`);
    return items.length === 0 ? undefined : items;
  };

/** Parsed as an exact decimal, because prices are compared without rounding. */
export const decimal: QueryReader<Decimal> = (given, name) => {
  if (isUnset(given)) return undefined;
  const value = DECIMAL.test(given) && given.length <= MAX_NUMBER_CHARACTERS ? parseDecimal(given) : undefined;
  if (!value) throw invalidRequest(`${name} must be a number of at least 0, or null`);
  return value;
};

export const number =
  (most = Number.MAX_VALUE): QueryReader<number> =>
  (given, name) => {
    if (isUnset(given)) return undefined;
    const value = DECIMAL.test(given) ? Number(given) : Number.NaN;
    if (!(value >= 0 && value <= most))
      throw invalidRequest(
        `${name} must be a number ${most === Number.MAX_VALUE ? 'of at least 0' : `from 0 to ${most}`}, or null`,
      );
    return value;
  };

export const integer =
  (least: number, most = Number.MAX_SAFE_INTEGER): QueryReader<number> =>
  (given, name) => {
    if (isUnset(given)) return undefined;
    // Clamp numbers beyond the safe integers instead of refusing them, because they exceed the value of every model.
    const value = /^\+?\d+$/.test(given) ? Math.min(Number(given), Number.MAX_SAFE_INTEGER) : Number.NaN;
    if (!(value >= least && value <= most))
      throw invalidRequest(
        `${name} must be a whole number ` +
          (most === Number.MAX_SAFE_INTEGER ? `of at least ${least}` : `from ${least} to ${most}`),
      );
    return value;
  };

/** True unless the value is empty, `0` or `false`. */
export const flag: QueryReader<boolean> = (given) => !['', '0', 'false'].includes(given.trim().toLowerCase());
