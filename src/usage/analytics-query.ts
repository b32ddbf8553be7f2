import type { Dimension, Granularity, Metric, Operator } from './analytics-vocabulary.js';

/** A caller's query. The DTO checks the types; `planOf` checks the names and the rules. */
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
 * Matches calls by comparing a field with `values`. Calls without a value match only if `includeUnset` is set. `values`
 * are numbers for a numeric field, indexes for a field with a closed list of values, and otherwise texts.
 */
export interface PlannedFilter {
  readonly field: Dimension;
  readonly operator: Operator;
  readonly values: readonly (string | number)[];
  readonly includeUnset: boolean;
}

/** A checked query of one account. Only the filter values are texts from the caller. */
export interface AnalyticsPlan {
  readonly accountNo: number;
  /** Inclusive, in milliseconds since 1970. */
  readonly from: number;
  /** Exclusive, in milliseconds since 1970. */
  readonly to: number;
  readonly granularity: Granularity | null;
  readonly metrics: readonly Metric[];
  readonly dimensions: readonly Dimension[];
  readonly filters: readonly PlannedFilter[];
  /** Ties are ordered by time, newest first, then by the dimensions. Missing values come last. */
  readonly order: { readonly by: 'date' | Metric | Dimension; readonly descending: boolean };
  /** Maximum rows per combination of dimensions; null = unlimited. */
  readonly groupLimit: number | null;
  readonly limit: number;
}

/**
 * The result of a plan. The reader serialises the rows. Rows of DuckDB are serialised in the follower process, because
 * serialising ten thousand rows would delay inference calls.
 */
export interface AnalyticsResult {
  /**
   * A JSON array in UTF-8 with an object per row: `date__<granularity>`, dimensions and metrics by name; money in USD.
   */
  readonly rows: Uint8Array;
  readonly rowCount: number;
  /** Whether a limit removed rows. */
  readonly truncated: boolean;
  readonly warnings: readonly string[];
}
