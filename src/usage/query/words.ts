import { invalidRequest } from '../../kernel/errors.js';

const LONGEST_ECHO = 64;

/** A caller's word as one of a table's; else a refusal that names it and lists what exists. */
export function oneOfWords<T extends object>(table: T, word: string, field: string, kind: string): keyof T & string {
  if (Object.hasOwn(table, word)) return word as keyof T & string;
  throw invalidRequest(
    `${field}: "${word.slice(0, LONGEST_ECHO)}" is no ${kind}; there are ${Object.keys(table).join(', ')}`,
  );
}
