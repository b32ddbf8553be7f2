import { queryOptions } from '@tanstack/react-query';
import { QUERY_KEYS } from './query-keys';
import { requestedGranularity, bucketOf, bucketTimes, type Buckets } from '../format/buckets';
import { api, body } from './client';
import type { AnalyticsQuery } from './records';

export type AnalyticsRow = Readonly<Record<string, string | number | null>>;

export interface AnalyticsResult {
  readonly rows: readonly AnalyticsRow[];
  readonly isTruncated: boolean;
  readonly warnings: readonly string[];
}

/** One analytics query. */
export const analytics = (query: AnalyticsQuery) =>
  queryOptions({
    queryKey: QUERY_KEYS.analytics(query),
    queryFn: async (): Promise<AnalyticsResult> => {
      const { data } = await body(api.POST('/api/v1/analytics/query', { body: query }));
      return {
        rows: data.data,
        isTruncated: data.metadata.truncated,
        warnings: data.warnings ?? [],
      };
    },
    placeholderData: (before) => before,
  });

/**
 * The metrics, dimensions, operators and granularities of queries. They change only with the version of the service.
 */
export const analyticsMeta = queryOptions({
  queryKey: QUERY_KEYS.analyticsMeta,
  queryFn: async () => (await body(api.GET('/api/v1/analytics/meta'))).data,
  staleTime: Infinity,
});

export type AnalyticsFilters = NonNullable<AnalyticsQuery['filters']>;

/** The filter of a query for one workspace; empty for all. */
export const inWorkspace = (workspace: string | undefined): AnalyticsFilters =>
  workspace === undefined ? [] : [{ field: 'workspace', operator: 'eq', value: workspace }];

export const numberOf = (row: AnalyticsRow | undefined, name: string): number => Number(row?.[name] ?? 0);

/**
 * The values of each group at each bucket of the time range. Buckets without calls have no rows: their counts and sums
 * are 0, and their other values are null.
 */
export function seriesOf(
  rows: readonly AnalyticsRow[],
  buckets: Buckets,
  metric: string,
  groupOf: (row: AnalyticsRow) => string,
): { times: number[]; series: { label: string; values: (number | null)[] }[] } {
  const times = bucketTimes(buckets);
  const places = new Map(times.map((time, at) => [time, at]));
  const absent = isSum(metric) ? 0 : null;
  const groups = new Map<string, (number | null)[]>();
  for (const row of rows) {
    const label = groupOf(row);
    const values = groups.get(label) ?? times.map(() => absent);
    groups.set(label, values);
    const place = places.get(bucketOf(buckets, String(row[`date__${requestedGranularity(buckets)}`])));
    if (place !== undefined) values[place] = (values[place] ?? 0) + numberOf(row, metric);
  }
  return { times, series: [...groups].map(([label, values]) => ({ label, values })) };
}

/** Whether values of the metric can be added up. */
export const isSum = (metric: string): boolean => /count|usage|tokens|images|characters/.test(metric);

/** The sums of all rows; values that cannot be added up are absent. */
export function totalOf(rows: readonly AnalyticsRow[], metrics: readonly string[]): AnalyticsRow | undefined {
  const sums = metrics.filter(isSum);
  if (rows.length < 2 || sums.length === 0) return undefined;
  return Object.fromEntries(sums.map((metric) => [metric, rows.reduce((sum, row) => sum + numberOf(row, metric), 0)]));
}
