import type { AnalyticsPlan, AnalyticsResult } from '../analytics-query.js';
import { COLUMN } from './plan-sql.js';
import { FORMULAS } from './measures.js';

/** A row as a store answers it: numbers as numbers or bigints, money as text. */
export type StoreRow = Readonly<Record<string, unknown>>;

const toNumber = (value: unknown): number | null => (value === null || value === undefined ? null : Number(value));

/** A statement's rows as the plan's result; the row beyond the limit only tells that there are more. */
export function readRows(plan: AnalyticsPlan, rows: readonly StoreRow[]): AnalyticsResult {
  const kept = rows.slice(0, plan.limit);
  const total = toNumber(rows[0]?.[COLUMN.total]);
  return {
    rows: kept.map((row) => ({
      bucket: toNumber(row[COLUMN.bucket]),
      dimensions: plan.dimensions.map((_, index) => dimensionValue(row[COLUMN.dimension(index)])),
      metrics: plan.metrics.map((metric, index) => {
        const value = row[COLUMN.metric(index)];
        return FORMULAS[metric].money ? BigInt(value as string) : Number(value);
      }),
    })),
    truncated: rows.length > plan.limit || (total !== null && total > kept.length),
    warnings: [],
  };
}

const dimensionValue = (value: unknown): string | number | null => (typeof value === 'string' || typeof value === 'number' ? value : toNumber(value));
