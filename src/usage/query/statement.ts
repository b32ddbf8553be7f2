import type { PlannedFilter } from '../analytics-query.js';

/** A statement and its parameters. */
export interface Statement {
  readonly text: string;
  readonly values: readonly unknown[];
}

/** The codes that pass a filter over texts: how many they are, and between which two they lie. Both are null where there is none. */
export interface CodeSpan {
  readonly first: number | null;
  readonly last: number | null;
  readonly codes: number;
}

/** The filters whose passing codes a store found beforehand. */
export type KnownSpans = ReadonlyMap<PlannedFilter, CodeSpan>;
