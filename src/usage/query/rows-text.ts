import { toGenerationId } from '../../kernel/ids.js';
import { nanoTextToUsd } from '../../kernel/money.js';
import type { AnalyticsPlan, AnalyticsResult } from '../analytics-query.js';
import { DIMENSIONS, type Dimension, type DimensionWord } from '../analytics-vocabulary.js';
import { FORMULAS } from './measures.js';
import { COLUMN } from './plan-sql.js';

/** A statement's result by column: numbers as numbers or bigints, money as text, closed lists as indexes. */
export type StoreColumns = Readonly<Record<string, readonly unknown[]>>;

/** Serialises one value as JSON. */
type Serialiser = (value: unknown) => string;

/** Text is encoded in pieces of this size, because a result of 100,000 rows has tens of megabytes. */
const PIECE_CHARACTERS = 65_536;

interface Field {
  /** The text before the value, including the key. */
  readonly prefix: string;
  readonly column: string;
  readonly serialise: Serialiser;
}

/**
 * Serialises a statement's result page by page, so that memory holds the text of all rows, but the values of only one
 * page. The row beyond the limit is not serialised. It only shows that there are more rows.
 */
export class RowsText {
  readonly #fields: readonly Field[];
  readonly #pieces: Buffer[] = [];
  #text = '[';
  #rows = 0;
  #count = 0;
  /** The number of rows before the group limit is applied; undefined if the plan has no group limit. */
  #total: number | undefined;

  constructor(private readonly plan: AnalyticsPlan) {
    this.#fields = fieldsOf(plan);
  }

  /**
   * Adds `count` rows. Builds the text from columns, because building intermediate objects would take three times as
   * long.
   */
  add(columns: StoreColumns, count: number): void {
    if (count === 0) return;
    this.#count += count;
    this.#total ??= columns[COLUMN.total] ? Number(columns[COLUMN.total]![0]) : undefined;
    const fields = this.#fields.map(({ prefix, column, serialise }) => ({
      prefix,
      serialise,
      values: columns[column]!,
    }));
    const kept = Math.min(count, this.plan.limit - this.#rows);
    let text = this.#text;
    for (let row = 0; row < kept; row++) {
      text += this.#rows + row === 0 ? '{' : ',{';
      for (const { prefix, values, serialise } of fields) text += prefix + serialise(values[row]);
      text += '}';
      if (text.length > PIECE_CHARACTERS) {
        this.#pieces.push(Buffer.from(text));
        text = '';
      }
    }
    this.#text = text;
    this.#rows += kept;
  }

  result(): AnalyticsResult {
    const last = Buffer.from(`${this.#text}]`);
    return {
      rows: this.#pieces.length === 0 ? last : Buffer.concat([...this.#pieces, last]),
      rowCount: this.#rows,
      truncated: this.#count > this.#rows || (this.#total !== undefined && this.#total > this.#rows),
      warnings: [],
    };
  }
}

function fieldsOf({ granularity, dimensions, metrics }: AnalyticsPlan): Field[] {
  const fields: readonly (readonly [key: string, column: string, serialise: Serialiser])[] = [
    ...(granularity === null ? [] : [[`date__${granularity}`, COLUMN.bucket, bucketSerialiser()] as const]),
    ...dimensions.map(
      (dimension, index) => [dimension, COLUMN.dimension(index), dimensionSerialiser(dimension)] as const,
    ),
    ...metrics.map(
      (metric, index) =>
        [metric, COLUMN.metric(index), FORMULAS[metric].money ? serialiseMoney : serialiseNumber] as const,
    ),
  ];
  return fields.map(([key, column, serialise], index) => ({
    prefix: `${index === 0 ? '' : ','}"${key}":`,
    column,
    serialise,
  }));
}

const serialiseNumber: Serialiser = (value) => {
  const number = Number(value);
  return Number.isFinite(number) ? String(number) : 'null';
};
const serialiseMoney: Serialiser = (value) => String(nanoTextToUsd(value as string));

/** Keeps the text of the last bucket, because rows of one bucket are mostly adjacent. */
function bucketSerialiser(): Serialiser {
  let bucket: unknown;
  let start = '';
  return (value) => {
    if (bucket !== value) start = `"${new Date(Number((bucket = value))).toISOString()}"`;
    return start;
  };
}

function dimensionSerialiser(dimension: Dimension): Serialiser {
  const { values }: DimensionWord = DIMENSIONS[dimension];
  return (value) => {
    if (typeof value === 'string') return JSON.stringify(dimension === 'generation_id' ? toGenerationId(value) : value);
    if (value === null || value === undefined) return 'null';
    return values ? JSON.stringify(values[Number(value)] ?? null) : serialiseNumber(value);
  };
}
