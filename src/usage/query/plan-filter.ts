import type { AnalyticsRequest, PlannedFilter } from '../analytics-query.js';
import { DIMENSIONS, OPERATORS, type Dimension, type DimensionWord } from '../analytics-vocabulary.js';
import { invalidRequest } from '../../kernel/errors/errors.js';
import { parseGenerationId } from '../../kernel/ids.js';

type RequestedFilter = NonNullable<AnalyticsRequest['filters']>[number];

const MAX_ECHO_LENGTH = 64;
const MAX_INT32 = 2 ** 31 - 1;
/** An id that no call has. It replaces an invalid id, which no call has either. */
const NO_GENERATION = '00000000-0000-0000-0000-000000000000';

/** Checks one filter and converts its values. */
export function filterOf(filter: RequestedFilter, index: number): PlannedFilter {
  const at = `filters[${index}]`;
  const field = oneOfWords(DIMENSIONS, filter.field, `${at}.field`, 'dimension');
  const operator = oneOfWords(OPERATORS, filter.operator, `${at}.operator`, 'operator');
  const takesArray = OPERATORS[operator] === 'array';
  if (Array.isArray(filter.value) !== takesArray)
    throw invalidRequest(
      `${at}.value must be ${takesArray ? 'an array' : 'a string or a number'} with the operator ${operator}`,
    );
  const values = takesArray ? (filter.value as readonly (string | number)[]) : [filter.value as string | number];
  return {
    field,
    operator,
    values: [...new Set(values.map((value) => typed(field, value, `${at}.value`)))],
    includeUnset: takesArray && (filter.include_unset ?? false),
  };
}

function typed(field: Dimension, value: string | number, at: string): string | number {
  const word: DimensionWord = DIMENSIONS[field];
  if (word.values) {
    const place = word.values.indexOf(String(value));
    if (place < 0) throw invalidRequest(`${at}: ${field} is one of ${word.values.join(', ')}`);
    return place;
  }
  if (word.numeric) {
    if (!/^-?\d+$/.test(String(value))) throw invalidRequest(`${at}: ${field} is a whole number`);
    // No call has a larger value, and a larger value does not fit the integers of the stores.
    return Math.max(-MAX_INT32, Math.min(MAX_INT32, Number(value)));
  }
  if (field === 'generation_id') return parseGenerationId(String(value)) ?? NO_GENERATION;
  if (String(value).includes('\0')) throw invalidRequest(`${at} must not contain the character U+0000`);
  // A lone surrogate is not a character. Stores refuse it, and no recorded text has one.
  return String(value).replace(/\p{Surrogate}/gu, '\u{FFFD}');
}

/** Checks that a caller's word is in a table. Throws invalid_request, which lists the valid words. */
export function oneOfWords<T extends object>(table: T, word: string, field: string, kind: string): keyof T & string {
  if (Object.hasOwn(table, word)) return word as keyof T & string;
  throw invalidRequest(
    `${field}: "${word.slice(0, MAX_ECHO_LENGTH)}" is not a ${kind}; the valid values are ` +
      Object.keys(table).join(', '),
  );
}
