import { toGenerationId } from '../../kernel/ids.js';
import { nanoToUsd } from '../../kernel/money.js';
import type { AnalyticsPlan, AnalyticsResult } from '../analytics-query.js';
import { DIMENSIONS, type Dimension, type DimensionWord } from '../analytics-vocabulary.js';
import { FORMULAS } from './measures.js';
import { COLUMN } from './plan-sql.js';

/** A row as a store answers it: numbers as numbers or bigints, money as text, closed lists as the place in the list. */
export type StoreRow = Readonly<Record<string, unknown>>;

const toNumber = (value: unknown): number | null => (value === null || value === undefined ? null : Number(value));

/** A statement's rows as the plan's result; the row beyond the limit only tells that there are more. */
export function wordRows(plan: AnalyticsPlan, rows: readonly StoreRow[]): AnalyticsResult {
  const kept = rows.slice(0, plan.limit);
  const total = toNumber(rows[0]?.[COLUMN.total]);
  return {
    rows: Buffer.from(JSON.stringify(kept.map(rowWorder(plan)))),
    rowCount: kept.length,
    truncated: rows.length > plan.limit || (total !== null && total > kept.length),
    warnings: [],
  };
}

function rowWorder({ granularity, dimensions, metrics }: AnalyticsPlan): (row: StoreRow) => Record<string, string | number | null> {
  const date = `date__${granularity}`;
  // The rows of a bucket mostly follow one another.
  let bucket: unknown;
  let start = '';
  return (row) => {
    const worded: Record<string, string | number | null> = {};
    if (granularity !== null) {
      if (bucket !== row[COLUMN.bucket]) start = new Date(Number((bucket = row[COLUMN.bucket]))).toISOString();
      worded[date] = start;
    }
    dimensions.forEach((dimension, index) => (worded[dimension] = dimensionValue(dimension, row[COLUMN.dimension(index)])));
    metrics.forEach((metric, index) => {
      const value = row[COLUMN.metric(index)];
      worded[metric] = FORMULAS[metric].money ? nanoToUsd(BigInt(value as string)) : Number(value);
    });
    return worded;
  };
}

function dimensionValue(dimension: Dimension, value: unknown): string | number | null {
  const { values }: DimensionWord = DIMENSIONS[dimension];
  if (typeof value === 'string') return dimension === 'generation_id' ? toGenerationId(value) : value;
  const number = toNumber(value);
  return values && number !== null ? (values[number] ?? null) : number;
}
