import type { PlannedFilter } from '../analytics-query.js';

/** A statement and its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/**
 * The codes that match a filter over texts: the smallest, the largest (both null if none match), and the number of
 * codes.
 */
export interface CodeSpan {
  readonly first: number | null;
  readonly last: number | null;
  readonly codes: number;
}

/** The code spans that have been read, by filter. */
export type KnownSpans = ReadonlyMap<PlannedFilter, CodeSpan>;

/** Collects values and returns their placeholders ($1, $2, …), so that text never becomes part of a statement. */
export class Parameters {
  readonly values: unknown[] = [];

  /** `writesNumbers`: writes whole numbers into the statement, for a store that then plans better. */
  constructor(private readonly writesNumbers: boolean) {}

  add(value: unknown): string {
    if (this.writesNumbers && (typeof value === 'bigint' || Number.isSafeInteger(value))) return String(value);
    return `$${this.values.push(value)}`;
  }
}
