import type { Dimension, Granularity } from '../analytics-vocabulary.js';
import type { Ranked } from './measures.js';

export type ValueType = 'text' | 'int' | 'uuid';

/** A lookup table. The column `code` has the numbers that calls store, the column `value` has their texts. */
export interface Directory {
  readonly table: string;
  /** Restricts the table to this dimension's texts. */
  readonly where?: string;
  readonly code: string;
  readonly value: string;
}

/** The SQL for a dimension. `g` is the alias of the table of calls. */
export interface DimensionColumn {
  readonly code: string;
  readonly type: ValueType;
  /** The join that `code` needs. */
  readonly join?: string;
  /** Absent: the code is the value. */
  readonly directory?: Directory;
}

/**
 * A table with sums of calls per day, hour or minute. Its dimensions have the column names of the table of calls, and
 * its sums have the names of AdditiveMeasure.
 */
export interface Rollup {
  readonly table: string;
  /** The dimensions of the rollup. A query with another dimension reads the calls. */
  readonly dimensions: ReadonlySet<Dimension>;
  /**
   * Whether the calls are also grouped by `latency_ms`, so that a row counts the calls with one latency. Such a rollup
   * is used only for percentiles.
   */
  readonly hasLatencies?: boolean;
  readonly lengthMs: number;
  /** The column with the number of whole periods since 1970. */
  readonly time: string;
}

/** The differences between stores; all other SQL is the same. */
export interface StoreDialect {
  readonly columns: Readonly<Record<Dimension, DimensionColumn>>;
  /** Whether numbers are written into statements. Texts are always parameters. */
  readonly writesNumbers: boolean;
  /**
   * Whether the statement for a list of calls joins the tables of texts. ClickHouse needs no join, because its rows
   * contain the texts. DuckDB would scan a whole table of texts for the join, so its texts are read afterwards.
   */
  readonly joinsListedTexts: boolean;
  /** The call's start. */
  readonly time: string;
  /** The call's start in milliseconds since 1970. */
  readonly milliseconds: string;
  /** A time as a parameter that can be compared with `time`. */
  moment(ms: number): unknown;
  /** The expression for the time bucket of a call. */
  bucket(granularity: Granularity): string;
  /** The start of a bucket in milliseconds (bigint), from its expression. */
  bucketStart(granularity: Granularity, bucket: string): string;
  /** A list as one parameter for `memberOf`. */
  list(values: readonly (string | number)[]): unknown;
  /** The condition that `expression` is in the list parameter. */
  memberOf(expression: string, parameter: string, type: ValueType): string;
  /** The condition that the bit with the index `code` of the number `bits` is set. */
  bitAt(bits: string, code: string): string;
  /** The condition that a call has no value. */
  isUnset(column: DimensionColumn): string;
  /** The expression in a form that is compared and sorted by code point. */
  byCodePoint(expression: string): string;
  /**
   * Whether grouping the calls by latency first can make percentiles faster. It cannot if `ranks` already counts equal
   * latencies.
   */
  readonly countsLatencies: boolean;
  /** Nearest-rank percentiles as one aggregate: an array in the order of the percents. */
  ranks(ranked: Ranked, manyGroups: boolean): string;
  /** In order of preference. Among rollups of the same `lengthMs`, a query uses the first that has its dimensions. */
  readonly rollups: readonly Rollup[];
}
