import { isSum, numberOf, seriesOf, type AnalyticsRow } from '../../api/analytics';
import type { AnalyticsQuery } from '../../api/records';
import type { Series } from '../../components/chart';

const MAX_GROUPS = 7;
const OTHERS = 'Others';
const DAY_MS = 86_400_000;

/** Where the query names no granularity: some tens of points. */
function granularityOf({ start, end }: { start: string; end: string }): NonNullable<AnalyticsQuery['granularity']> {
  const days = (Date.parse(end) - Date.parse(start)) / DAY_MS;
  if (days <= 2) return 'hour';
  return days <= 200 ? 'day' : 'week';
}

export type ChartQuery = AnalyticsQuery & Required<Pick<AnalyticsQuery, 'granularity' | 'time_range'>>;

/**
 * The query of a chart: one metric over time, by the first dimension only. Nothing has to be added up then, which
 * percentiles and shares do not allow.
 */
export function chartQuery(
  { dimensions, granularity, time_range, ...rest }: AnalyticsQuery,
  metric: string,
): ChartQuery {
  const metrics = [...new Set([metric, 'request_count'])] as AnalyticsQuery['metrics'];
  return {
    ...rest,
    ...(dimensions ? { dimensions: dimensions.slice(0, 1) } : {}),
    metrics,
    granularity: granularity ?? granularityOf(time_range!),
    time_range: time_range!,
  };
}

/**
 * The largest groups, and the sum of all others where the metric is one. Other metrics have no sum: of them the groups
 * with the most requests are drawn, and the others are left out.
 */
export function chartSeries(
  rows: readonly AnalyticsRow[],
  { dimensions, granularity, time_range }: ChartQuery,
  metric: string,
  nameOf: (value: AnalyticsRow[string]) => string,
): { times: number[]; series: Series[]; isPartial: boolean } {
  const [dimension] = dimensions ?? [];
  const idOf = (row: AnalyticsRow): string => (dimension ? String(row[dimension] ?? '') : '');
  const { times, series } = seriesOf(rows, { granularity, ...time_range }, metric, idOf);
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
