import type { Dimension, Granularity, Metric, Operator } from './analytics-vocabulary.js';

/** A query as a caller asks it. Types are checked by the DTO; words and rules by `planOf`. */
export interface AnalyticsRequest {
  readonly metrics: readonly string[];
  readonly dimensions?: readonly string[];
  readonly filters?: readonly {
    readonly field: string;
    readonly operator: string;
    readonly value: string | number | readonly (string | number)[];
    readonly include_unset?: boolean;
  }[];
  readonly granularity?: string;
  readonly group_limit?: number;
  readonly limit?: number;
  readonly order_by?: { readonly field: string; readonly direction: 'asc' | 'desc' };
  readonly time_range?: { readonly start: string; readonly end: string };
}

/**
 * Rows of a call match where the field's value compares to one of `values` as the operator says. A call without a value
 * matches only where `includeUnset` is set. `values` of numeric and closed fields are numbers (the place in the list), else texts.
 */
export interface PlannedFilter {
  readonly field: Dimension;
  readonly operator: Operator;
  readonly values: readonly (string | number)[];
  readonly includeUnset: boolean;
}

/** What to compute, of which account, in terms that hold no text of the caller but filter values. */
export interface AnalyticsPlan {
  readonly accountNo: number;
  /** [from, to) in milliseconds since 1970. */
  readonly from: number;
  readonly to: number;
  readonly granularity: Granularity | null;
  readonly metrics: readonly Metric[];
  readonly dimensions: readonly Dimension[];
  readonly filters: readonly PlannedFilter[];
  /** Ties go by time, newest first, then by the dimensions. Without a value comes last. */
  readonly order: { readonly by: 'date' | Metric | Dimension; readonly descending: boolean };
  /** Most rows per combination of dimensions; null = as many as there are. */
  readonly groupLimit: number | null;
  readonly limit: number;
}

/**
 * What a plan comes to. The rows are worded by whoever read them, which is a process of its own where the store has one: making text of
 * ten thousand of them would hold up the calls that are being made.
 */
export interface AnalyticsResult {
  /** A JSON array in UTF-8, an object for each row: `date__<granularity>`, the dimensions and the metrics by name; money in USD. */
  readonly rows: Uint8Array;
  readonly rowCount: number;
  /** Whether a limit cut rows off. */
  readonly truncated: boolean;
  readonly warnings: readonly string[];
}
