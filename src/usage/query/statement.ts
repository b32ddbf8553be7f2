import type { PlannedFilter } from '../analytics-query.js';

/** A statement and its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The codes that match a filter over texts: their number, and the smallest and largest (null without any). */
export interface CodeSpan {
  readonly first: number | null;
  readonly last: number | null;
  readonly codes: number;
}

/** Filters with code spans that were read before. */
export type KnownSpans = ReadonlyMap<PlannedFilter, CodeSpan>;

/** Collects values and returns their placeholders ($1, $2, …), so that text never becomes part of a statement. */
export class Parameters {
  readonly values: unknown[] = [];

  /** `writesNumbers`: inline whole numbers, for a store that plans better with them. */
  constructor(private readonly writesNumbers: boolean) {}

  add(value: unknown): string {
    if (this.writesNumbers && (typeof value === 'bigint' || Number.isSafeInteger(value))) return String(value);
    return `$${this.values.push(value)}`;
  }
}
