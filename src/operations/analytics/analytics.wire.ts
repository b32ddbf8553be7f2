import { toGenerationId } from '../../kernel/ids.js';
import { nanoToUsd } from '../../kernel/money.js';
import { DIMENSIONS, GRANULARITIES, METRICS, OPERATORS, type Dimension, type DimensionWord } from '../../usage/analytics-vocabulary.js';
import type { AnalyticsPlan, AnalyticsRow } from '../../usage/analytics-query.js';
import type { TimedResult } from './analytics.service.js';
import type { AnalyticsMeta } from './dto/analytics-meta.response.dto.js';
import type { AnalyticsData } from './dto/analytics-query.response.dto.js';

/** A result as it leaves the building. */
export const toAnalyticsData = ({ plan, result, tookMs }: TimedResult): AnalyticsData => ({
  data: result.rows.map((row) => toRow(plan, row)),
  metadata: { query_time_ms: Math.round(tookMs), row_count: result.rows.length, truncated: result.truncated },
  ...(result.warnings.length > 0 ? { warnings: [...result.warnings] } : {}),
});

function toRow(plan: AnalyticsPlan, row: AnalyticsRow): Record<string, string | number | null> {
  const members: [string, string | number | null][] = [];
  if (plan.granularity !== null && row.bucket !== null) members.push([`date__${plan.granularity}`, new Date(row.bucket).toISOString()]);
  plan.dimensions.forEach((dimension, index) => members.push([dimension, dimensionValue(dimension, row.dimensions[index] ?? null)]));
  plan.metrics.forEach((metric, index) => {
    const value = row.metrics[index] ?? 0;
    members.push([metric, typeof value === 'bigint' ? nanoToUsd(value) : value]);
  });
  return Object.fromEntries(members);
}

function dimensionValue(dimension: Dimension, value: string | number | null): string | number | null {
  const { values }: DimensionWord = DIMENSIONS[dimension];
  if (values && typeof value === 'number') return values[value] ?? null;
  return dimension === 'generation_id' && typeof value === 'string' ? toGenerationId(value) : value;
}

/** The vocabulary, as clients list it. */
export const toAnalyticsMeta = (): AnalyticsMeta => ({
  metrics: Object.entries(METRICS).map(([name, { label, format }]) => ({ name, display_label: label, is_rate: format !== 'number' && format !== 'currency', display_format: format })),
  dimensions: Object.entries(DIMENSIONS).map(([name, { label }]) => ({ name, display_label: label })),
  operators: Object.entries(OPERATORS).map(([name, value_type]) => ({ name, value_type })),
  granularities: Object.entries(GRANULARITIES).map(([name, display_label]) => ({ name, display_label })),
});
