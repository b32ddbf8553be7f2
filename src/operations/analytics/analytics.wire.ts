import { DIMENSIONS, GRANULARITIES, METRICS, OPERATORS } from '../../usage/analytics-vocabulary.js';
import type { TimedResult } from './analytics.service.js';
import type { AnalyticsMeta } from './dto/analytics-meta.response.dto.js';
import type { AnalyticsData } from './dto/analytics-query.response.dto.js';

/** Returns the JSON text of an AnalyticsQueryResponse in pieces. The rows are already JSON text and are not copied. */
export function toAnalyticsText({ result, tookMs }: TimedResult): readonly Uint8Array[] {
  const { rows, rowCount, truncated, warnings } = result;
  const others: Omit<AnalyticsData, 'data'> = {
    metadata: { query_time_ms: Math.round(tookMs), row_count: rowCount, truncated },
    ...(warnings.length > 0 ? { warnings: [...warnings] } : {}),
  };
  return [Buffer.from('{"data":{"data":'), rows, Buffer.from(`,${JSON.stringify(others).slice(1)}}`)];
}

/** Lists the metrics, dimensions, operators and granularities that a query can use. */
export const toAnalyticsMeta = (): AnalyticsMeta => ({
  metrics: Object.entries(METRICS).map(([name, { label, format }]) => ({
    name,
    display_label: label,
    is_rate: format !== 'number' && format !== 'currency',
    display_format: format,
  })),
  dimensions: Object.entries(DIMENSIONS).map(([name, { label }]) => ({ name, display_label: label })),
  operators: Object.entries(OPERATORS).map(([name, value_type]) => ({ name, value_type })),
  granularities: Object.entries(GRANULARITIES).map(([name, display_label]) => ({ name, display_label })),
});
