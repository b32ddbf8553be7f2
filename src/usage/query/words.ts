import { invalidRequest } from '../../kernel/errors/errors.js';

const MAX_ECHO_LENGTH = 64;

/** Checks a caller's word against a table; throws an error that lists the valid words. */
export function oneOfWords<T extends object>(table: T, word: string, field: string, kind: string): keyof T & string {
  if (Object.hasOwn(table, word)) return word as keyof T & string;
  throw invalidRequest(
    `${field}: "${word.slice(0, MAX_ECHO_LENGTH)}" is not a ${kind}; the valid values are ` +
      Object.keys(table).join(', '),
  );
}
