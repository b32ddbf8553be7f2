import { isSum, numberOf, seriesOf, type AnalyticsRow } from '../../api/analytics';
import type { AnalyticsQuery } from '../../api/records';
import type { Series } from '../../chart/chart';
import { requestedGranularity, bucketsOf, type Buckets } from '../../format/buckets';
import { granularityOf, rangeBefore } from '../../format/ranges';
import type { Zone } from '../../format/zone';
import { t } from '../../text/translate';

const MAX_GROUPS = 7;
const OTHERS = t('Others');

export interface ChartQuery {
  readonly request: AnalyticsQuery;
  readonly buckets: Buckets;
}

/**
 * The query of a chart: one metric and the number of requests over time, grouped by the first dimension only. Each
 * point is then one row, because percentiles and shares cannot be added up.
 */
export function chartQuery(
  { dimensions, granularity, time_range, ...rest }: AnalyticsQuery,
  metric: string,
  zone: Zone,
): ChartQuery {
  const range = time_range!;
  const buckets = bucketsOf(range, granularity ?? granularityOf(range), zone, isSum(metric));
  const request: AnalyticsQuery = {
    ...rest,
    ...(dimensions ? { dimensions: dimensions.slice(0, 1) } : {}),
    metrics: [...new Set([metric, 'request_count'])] as AnalyticsQuery['metrics'],
    granularity: requestedGranularity(buckets) as AnalyticsQuery['granularity'],
    time_range: range,
  };
  return { request, buckets };
}

/** The query for the previous period of the same length, without groups. */
export function previousPeriodQuery({ request, buckets }: ChartQuery): ChartQuery {
  const range = rangeBefore(buckets);
  return { request: { ...request, dimensions: undefined, time_range: range }, buckets: { ...buckets, ...range } };
}

/** The running totals. */
export function runningTotals(values: readonly (number | null)[]): number[] {
  let sum = 0;
  return values.map((value) => (sum += value ?? 0));
}

/**
 * The largest groups. If the metric is a sum, also the sum of the other groups. For other metrics, uses the groups with
 * the most requests and omits the other groups.
 */
export function chartSeries(
  rows: readonly AnalyticsRow[],
  { request: { dimensions }, buckets }: ChartQuery,
  metric: string,
  nameOf: (value: AnalyticsRow[string]) => string,
): { times: number[]; series: Series[]; isPartial: boolean } {
  const [dimension] = dimensions ?? [];
  const idOf = (row: AnalyticsRow): string => (dimension ? String(row[dimension] ?? '') : '');
  const { times, series } = seriesOf(rows, buckets, metric, idOf);
  const weights = new Map<string, number>();
  const names = new Map<string, string>();
  for (const row of rows) {
    const weight = numberOf(row, isSum(metric) ? metric : 'request_count');
    weights.set(idOf(row), (weights.get(idOf(row)) ?? 0) + weight);
    names.set(idOf(row), nameOf(dimension ? (row[dimension] ?? null) : null));
  }
  const ranked = series.toSorted((a, b) => weights.get(b.label)! - weights.get(a.label)!);
  const named = ranked.slice(0, MAX_GROUPS).map(({ label, values }) => ({ label: names.get(label) ?? label, values }));
  const rest = ranked.slice(MAX_GROUPS);
  if (rest.length === 0) return { times, series: named, isPartial: false };
  if (!isSum(metric)) return { times, series: named, isPartial: true };
  const values = times.map((_, at) => rest.reduce((sum, { values: each }) => sum + (each[at] ?? 0), 0));
  return { times, series: [...named, { label: OTHERS, values }], isPartial: false };
}
