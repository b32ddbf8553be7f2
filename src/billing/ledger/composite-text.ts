/** A value of a column. An object is written as JSON. */
export type Cell = string | number | bigint | boolean | object | null | undefined;
/** The columns of a composite value in the order of its type; null = no value. */
export type CompositeRow = readonly Cell[] | null;

type Quote = (text: string) => string;

const NEEDS_NO_QUOTES = /^[\w.:+-]+$/;

/** A composite value as PostgreSQL reads it. */
export const compositeText = (row: CompositeRow): string | null => row && cellsText(row, quoted);

/** An array of composite values as PostgreSQL reads it, which it does several times faster than it reads JSON. */
export const compositeArrayText = (rows: readonly CompositeRow[]): string =>
  `{${rows.map((row) => (row ? `"${cellsText(row, quotedInArray)}"` : 'NULL')).join(',')}}`;

const cellsText = (row: readonly Cell[], quote: Quote): string =>
  `(${row.map((cell) => cellText(cell, quote)).join(',')})`;

/** An empty field is null. */
function cellText(cell: Cell, quote: Quote): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'boolean') return cell ? 't' : 'f';
  if (typeof cell === 'object') return quote(JSON.stringify(cell));
  if (typeof cell === 'string') return NEEDS_NO_QUOTES.test(cell) ? cell : quote(cell);
  return cell.toString();
}

const quoted: Quote = (text) => `"${text.replaceAll('\\', '\\\\').replaceAll('"', '""')}"`;

/** As an element of an array is quoted itself, each quote and backslash of it has a backslash before it. */
const quotedInArray: Quote = (text) => String.raw`\"${text.replaceAll('\\', '\\\\\\\\').replaceAll('"', '\\"\\"')}\"`;
