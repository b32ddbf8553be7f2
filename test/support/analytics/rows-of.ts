import type { AnalyticsResult } from '../../../src/usage/analytics-query.js';

export type WordedRow = Readonly<Record<string, string | number | null>>;

/** Parses the rows of a result, which are JSON text. */
export const rowsOf = ({ rows }: Pick<AnalyticsResult, 'rows'>): readonly WordedRow[] =>
  JSON.parse(Buffer.from(rows).toString()) as WordedRow[];
