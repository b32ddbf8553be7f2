/** A value of a column. */
export type Cell = string | number | bigint | boolean | null | undefined;
/** The columns of a composite value in the order of its type; null = no value. */
export type CompositeRow = readonly Cell[] | null;

const NEEDS_NO_QUOTES = /^[\w.:+-]+$/;
const QUOTE_OR_BACKSLASH = /["\\]/g;

/** A composite value as PostgreSQL reads it. */
export const compositeText = (row: CompositeRow): string | null => row && `(${cellsText(row, quoted)})`;

/** An array of composite values as PostgreSQL reads it, which it does several times faster than it reads JSON. */
export const compositeArrayText = (rows: readonly CompositeRow[]): string =>
  `{${rows.map((row) => (row ? `"(${cellsText(row, quotedInArray)})"` : 'NULL')).join(',')}}`;

/** An empty field is null. */
function cellsText(row: readonly Cell[], quote: (text: string) => string): string {
  let text = '';
  for (let at = 0; at < row.length; at++) {
    const cell = row[at];
    if (at > 0) text += ',';
    if (cell === null || cell === undefined) continue;
    if (typeof cell === 'boolean') text += cell ? 't' : 'f';
    else if (typeof cell !== 'string') text += cell.toString();
    else text += NEEDS_NO_QUOTES.test(cell) ? cell : quote(cell);
  }
  return text;
}

const quoted = (text: string): string => `"${text.replaceAll(QUOTE_OR_BACKSLASH, '$&$&')}"`;

/** As an element of an array is quoted itself, each quote and backslash of it has a backslash before it. */
const quotedInArray = (text: string): string => `\\"${text.replaceAll(QUOTE_OR_BACKSLASH, '\\$&\\$&')}\\"`;
