import type { ImportOutcome } from '../catalogue/catalogue-imports.js';
import { nanoToText, type Nano } from '../kernel/money.js';

/** The number of digits of a key's hash that a table shows. Commands accept these digits as a prefix of the hash. */
export const SHOWN_HASH_CHARACTERS = 16;

/** Standard output is for the command's result; progress is written to standard error. */
export const log = (line: string): void => console.error(line);

/**
 * Returns a value that JSON.stringify() writes as this number with all digits, because a double would be rounded.
 * TypeScript does not declare JSON.rawJSON() yet.
 */
const rawNumber = (text: string): unknown => (JSON as unknown as { rawJSON(text: string): unknown }).rawJSON(text);

/** An amount of money in a row: USD with all digits, in JSON as a number. */
export class Usd {
  constructor(private readonly nano: Nano) {}

  toString(): string {
    return nanoToText(this.nano);
  }

  toJSON(): unknown {
    return rawNumber(this.toString());
  }
}

/** Prints rows as an aligned table, or as one JSON object per line for scripts. */
export function print(rows: readonly object[], json = false): void {
  if (json) {
    for (const row of rows) console.log(JSON.stringify(row));
    return;
  }
  const [first] = rows;
  if (!first) {
    console.log('(none)');
    return;
  }
  const columns = Object.keys(first);
  const cells = rows.map((row) => columns.map((column) => cell((row as Record<string, unknown>)[column])));
  const widths = columns.map((column, index) => Math.max(column.length, ...cells.map((line) => line[index]!.length)));
  const numeric = columns.map((column) => rows.some((row) => isNumber((row as Record<string, unknown>)[column])));
  const aligned = (text: string, index: number): string =>
    numeric[index] ? text.padStart(widths[index]!) : text.padEnd(widths[index]!);
  for (const line of [columns, ...cells]) console.log(line.map(aligned).join('  ').trimEnd());
}

/** Prints the changes of an import, one difference per line. */
export function printDifferences({ differences }: ImportOutcome, json?: boolean): void {
  const rows = differences.map(({ change, subject, member, from, to }) => ({ change, subject, member, from, to }));
  print(rows, json);
}

/** Prints a header line and rows as CSV (RFC 4180). */
export function printCsv(columns: readonly string[], rows: readonly Record<string, unknown>[]): void {
  for (const line of [columns, ...rows.map((row) => columns.map((column) => csvCell(row[column])))])
    console.log(line.join(','));
}

function csvCell(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value !== 'string') return cell(value);
  // Callers choose names, so escape texts that a spreadsheet would read as a formula.
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

const isNumber = (value: unknown): boolean =>
  typeof value === 'number' || typeof value === 'bigint' || value instanceof Usd;

function cell(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  if (typeof value === 'bigint' || value instanceof Usd) return value.toString();
  return typeof value === 'string' ? value : JSON.stringify(value);
}
