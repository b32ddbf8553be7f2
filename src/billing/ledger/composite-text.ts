const MAX_CACHED_TIMES = 64;

/** Caches results of toISOString(), which took most of the time of serialisation. A batch has few different times. */
export class IsoTexts {
  readonly #texts = new Map<number, string>();

  of(time: Date): string {
    const ms = time.getTime();
    let text = this.#texts.get(ms);
    if (text === undefined) {
      if (this.#texts.size >= MAX_CACHED_TIMES) this.#texts.clear();
      this.#texts.set(ms, (text = time.toISOString()));
    }
    return text;
  }
}

/** A value of a column. An object is written as JSON. */
export type Cell = string | number | bigint | boolean | object | null | undefined;
/** The columns of a composite value in the order of its type; null = no value. */
export type CompositeRow = readonly Cell[] | null;

const NEEDS_NO_QUOTES = /^[\w.:+-]+$/;

export const NULL_ELEMENT = 'NULL';

/** A composite value as an element of an array that PostgreSQL reads. */
export function elementText(row: CompositeRow): string {
  if (!row) return NULL_ELEMENT;
  let cells = cellText(row[0]);
  for (let index = 1; index < row.length; index++) cells += `,${cellText(row[index])}`;
  return `"(${cells})"`;
}

export const arrayText = (elements: readonly string[]): string => `{${elements.join(',')}}`;

/** The text of an array of composite values. PostgreSQL reads it several times faster than JSON. */
export const compositeArrayText = (rows: readonly CompositeRow[]): string => arrayText(rows.map(elementText));

/** The text of a column. PostgreSQL reads an empty text as null. */
function cellText(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  if (typeof cell === 'number') return String(cell);
  if (typeof cell === 'boolean') return cell ? 't' : 'f';
  if (typeof cell === 'string') return NEEDS_NO_QUOTES.test(cell) ? cell : quoted(cell);
  return typeof cell === 'object' ? quotedJson(JSON.stringify(cell)) : cell.toString();
}

/** Quotes a text for an array element. In an element, each quote and backslash needs a backslash before it. */
const quoted = (text: string): string => String.raw`\"${text.replaceAll('\\', '\\\\\\\\').replaceAll('"', '\\"\\"')}\"`;

/**
 * Like `quoted`, but several times faster, for text without control characters, such as JSON. JSON.stringify quotes
 * such a text as PostgreSQL expects.
 */
const quotedJson = (json: string): string => JSON.stringify(JSON.stringify(json)).slice(1, -1);
