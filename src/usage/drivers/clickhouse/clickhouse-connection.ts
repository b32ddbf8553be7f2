import type { Statement } from '../../query/statement.js';

/** ClickHouse settings by name. */
export type StatementSettings = Readonly<Record<string, string | number>>;

/** Rows of a result, each as a list of its values. */
export interface RowPage {
  readonly names: readonly string[];
  readonly rows: readonly (readonly unknown[])[];
}

export interface ClickHouseOptions {
  readonly signal: AbortSignal;
  readonly settings?: StatementSettings;
}

/** ClickHouse cannot be reached, or refuses a statement. */
export class ClickHouseFault extends Error {
  override name = 'ClickHouseFault';

  /** `code`: the number of the error in ClickHouse; undefined if no server responded. */
  constructor(
    message: string,
    readonly code?: number,
    options?: { readonly cause?: unknown },
  ) {
    super(message, options);
  }
}

/** A ClickHouse database. Every method throws ClickHouseFault or, if the signal aborts, the reason of the signal. */
export abstract class ClickHouseConnection {
  /** Reads the rows of a statement in pages. The parameters of the statement are `$1`, `$2`, …. */
  abstract rows(statement: Statement, options: ClickHouseOptions): AsyncIterable<RowPage>;
  /** Inserts rows. Each line is a JSON array with the values in the order of the columns. */
  abstract insert(table: string, lines: string, options: ClickHouseOptions): Promise<void>;
  /** Runs a statement without a result. */
  abstract run(text: string, options: ClickHouseOptions): Promise<void>;
  abstract close(): Promise<void>;
}

/** Returns the first row of a result as an object with the names of the columns; undefined if there is no row. */
export async function firstRow(
  connection: ClickHouseConnection,
  statement: Statement,
  options: ClickHouseOptions,
): Promise<Readonly<Record<string, unknown>> | undefined> {
  let first: Readonly<Record<string, unknown>> | undefined;
  for await (const { names, rows } of connection.rows(statement, options)) {
    const [row] = rows;
    if (row) first ??= Object.fromEntries(names.map((name, index) => [name, row[index]]));
  }
  return first;
}

/**
 * Converts a statement to the syntax of ClickHouse, with named parameters. No literal of a statement can contain a
 * placeholder, because texts are always parameters.
 */
export function namedParameters({ text, values }: Statement): {
  readonly text: string;
  readonly parameters: Readonly<Record<string, unknown>>;
} {
  const named = text.replace(/\$(\d+)/g, (_, place: string) => `{p${place}:${typeOf(values[Number(place) - 1])}}`);
  return { text: named, parameters: Object.fromEntries(values.map((value, index) => [`p${index + 1}`, value])) };
}

const typeOf = (value: unknown): string =>
  Array.isArray(value) ? `Array(${typeOf(value[0] ?? '')})` : typeof value === 'string' ? 'String' : 'Int64';
