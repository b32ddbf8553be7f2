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
