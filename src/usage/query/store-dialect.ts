import type { Dimension, Granularity } from '../analytics-vocabulary.js';
import type { Ranked } from './measures.js';

export type ValueType = 'text' | 'int' | 'uuid';

/** Where a store keeps the texts behind the numbers of a column. */
export interface Directory {
  readonly table: string;
  /** Narrows the table to this dimension's texts. */
  readonly where?: string;
  readonly code: string;
  readonly value: string;
}

/** How a store keeps a dimension. `g` is the call. */
export interface DimensionColumn {
  readonly code: string;
  readonly type: ValueType;
  /** What `code` needs joined to the call. */
  readonly join?: string;
  /** Absent: the code is the value. */
  readonly directory?: Directory;
}

/** Sums over the calls of an hour or of a minute, kept beside them. Its columns are named as those of the calls, its measures by their names. */
export interface Rollup {
  readonly table: string;
  /** What it tells apart; anything else needs the calls themselves. */
  readonly dimensions: ReadonlySet<Dimension>;
  readonly lengthMs: number;
  /** The column with the whole lengths since 1970. */
  readonly time: string;
}

/** The little in which the stores differ; everything else of the SQL is one text for all. */
export interface StoreDialect {
  readonly columns: Readonly<Record<Dimension, DimensionColumn>>;
  /** Whether numbers are part of a statement's text; texts never are. */
  readonly writesNumbers: boolean;
  /** When the call began. */
  readonly time: string;
  /** A moment as a parameter that compares with `time`. */
  moment(ms: number): unknown;
  /** What calls of one bucket have in common. */
  bucket(granularity: Granularity): string;
  /** The start of a bucket in milliseconds, a bigint, of what they have in common. */
  bucketStart(granularity: Granularity, bucket: string): string;
  /** A list as one parameter for `memberOf`. */
  list(values: readonly (string | number)[]): unknown;
  /** Whether `expression` is in the list parameter. */
  memberOf(expression: string, parameter: string, type: ValueType): string;
  /** Whether a call has no value. */
  isUnset(column: DimensionColumn): string;
  /** A text that sorts and compares by code points. */
  byCodePoint(expression: string): string;
  /** Nearest-rank percentiles as one aggregate, an array in the order of the percents. */
  ranks(ranked: Ranked, manyGroups: boolean): string;
  /** Of those of one length, the first that fits a plan is taken. */
  readonly rollups: readonly Rollup[];
}
