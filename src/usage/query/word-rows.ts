import { toGenerationId } from '../../kernel/ids.js';
import { nanoTextToUsd } from '../../kernel/money.js';
import type { AnalyticsPlan, AnalyticsResult } from '../analytics-query.js';
import { DIMENSIONS, type Dimension, type DimensionWord } from '../analytics-vocabulary.js';
import { FORMULAS } from './measures.js';
import { COLUMN } from './plan-sql.js';

/** A statement's answer by columns: numbers as numbers or bigints, money as text, closed lists as the place in the list. */
export type StoreColumns = Readonly<Record<string, readonly unknown[]>>;

/** Words one value as JSON. */
type Worder = (value: unknown) => string;

/** A statement's answer of `count` rows as the plan's result; the row beyond the limit only tells that there are more. */
export function wordRows(plan: AnalyticsPlan, columns: StoreColumns, count: number): AnalyticsResult {
  const kept = Math.min(count, plan.limit);
  const total = columns[COLUMN.total]?.[0];
  return {
    rows: Buffer.from(jsonOf(fieldsOf(plan, columns), kept)),
    rowCount: kept,
    truncated: count > plan.limit || (total !== undefined && Number(total) > kept),
    warnings: [],
  };
}

interface Field {
  /** What precedes its value, the key included. */
  readonly lead: string;
  readonly values: readonly unknown[];
  readonly word: Worder;
}

// Text by text, column by column: objects in between take three times as long, and ten thousand rows are common.
function jsonOf(fields: readonly Field[], count: number): string {
  let text = '[';
  for (let row = 0; row < count; row++) {
    text += row === 0 ? '{' : ',{';
    for (const { lead, values, word } of fields) text += lead + word(values[row]);
    text += '}';
  }
  return `${text}]`;
}

function fieldsOf({ granularity, dimensions, metrics }: AnalyticsPlan, columns: StoreColumns): Field[] {
  const fields: readonly (readonly [key: string, column: string, word: Worder])[] = [
    ...(granularity === null ? [] : [[`date__${granularity}`, COLUMN.bucket, bucketWorder()] as const]),
    ...dimensions.map((dimension, index) => [dimension, COLUMN.dimension(index), dimensionWorder(dimension)] as const),
    ...metrics.map(
      (metric, index) => [metric, COLUMN.metric(index), FORMULAS[metric].money ? wordMoney : wordNumber] as const,
    ),
  ];
  return fields.map(([key, column, word], index) => ({
    lead: `${index === 0 ? '' : ','}"${key}":`,
    values: columns[column]!,
    word,
  }));
}

const wordNumber: Worder = (value) => {
  const number = Number(value);
  return Number.isFinite(number) ? String(number) : 'null';
};
const wordMoney: Worder = (value) => String(nanoTextToUsd(value as string));

/** The rows of a bucket mostly follow one another. */
function bucketWorder(): Worder {
  let bucket: unknown;
  let start = '';
  return (value) => {
    if (bucket !== value) start = `"${new Date(Number((bucket = value))).toISOString()}"`;
    return start;
  };
}

function dimensionWorder(dimension: Dimension): Worder {
  const { values }: DimensionWord = DIMENSIONS[dimension];
  return (value) => {
    if (typeof value === 'string') return JSON.stringify(dimension === 'generation_id' ? toGenerationId(value) : value);
    if (value === null || value === undefined) return 'null';
    return values ? JSON.stringify(values[Number(value)] ?? null) : wordNumber(value);
  };
}
