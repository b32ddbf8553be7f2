import type { Dimension, Granularity } from '../analytics-vocabulary.js';

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

/** The little in which the stores differ; everything else of the SQL is one text for all. */
export interface StoreDialect {
  readonly columns: Readonly<Record<Dimension, DimensionColumn>>;
  /** The start of a call's bucket in milliseconds, a bigint. */
  bucket(granularity: Granularity): string;
  /** A moment as a parameter that compares with g.created_at. */
  moment(ms: number): unknown;
  /** A list as one parameter for `memberOf`. */
  list(values: readonly (string | number)[]): unknown;
  /** Whether `expression` is in the list parameter. */
  memberOf(expression: string, parameter: string, type: ValueType): string;
  /** A text that sorts and compares by code points. */
  byCodePoint(expression: string): string;
}
