import { Select } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { analyticsWords, isSum, numberOf, seriesOf, type AnalyticsRow } from '../../api/analytics';
import { useKeyNames } from '../../api/keys';
import type { AnalyticsQuery } from '../../api/records';
import { Chart } from '../../components/chart';
import { useMetricFormats } from './usage-table';

const MAX_SERIES = 7;
const OTHERS = 'Others';

interface UsageChartProps {
  readonly request: AnalyticsQuery;
  readonly rows: readonly AnalyticsRow[];
}

/** One metric over time, stacked by the first dimension; the small groups are one. */
export function UsageChart({ request, rows }: UsageChartProps): ReactNode {
  const { metrics, dimensions = [], granularity = 'day' } = request;
  const [chosen, choose] = useState<string>(metrics[0]!);
  const metric = metrics.find((name) => name === chosen) ?? metrics[0]!;
  const formatOf = useMetricFormats();
  const nameOf = useKeyNames();
  const { data: words } = useQuery(analyticsWords);
  const labelOf = (name: string): string => words?.metrics.find((word) => word.name === name)?.display_label ?? name;
  const [dimension] = dimensions;
  const nameOfGroup = (row: AnalyticsRow): string => {
    if (!dimension) return labelOf(metric);
    const value = row[dimension];
    return dimension === 'api_key_id' ? nameOf(value) : String(value ?? 'none');
  };
  const { times, series } = seriesOf(
    summed(rows, nameOfGroup, metric, granularity),
    { granularity, ...request.time_range! },
    metric,
    (row) => String(row.group),
  );
  return (
    <>
      <Select
        label="Chart of"
        data={metrics.map((name) => ({ value: name, label: labelOf(name) }))}
        value={metric}
        onChange={(name) => name && choose(name)}
        maw={240}
      />
      <Chart
        label={`${labelOf(metric)} per ${granularity}`}
        kind={isSum(metric) ? 'bars' : 'lines'}
        format={formatOf(metric)}
        times={times}
        series={series}
      />
    </>
  );
}

/** One row per time and group, of the largest groups and the sum of all others. */
function summed(
  rows: readonly AnalyticsRow[],
  nameOf: (row: AnalyticsRow) => string,
  metric: string,
  granularity: string,
): AnalyticsRow[] {
  const totals = new Map<string, number>();
  for (const row of rows) totals.set(nameOf(row), (totals.get(nameOf(row)) ?? 0) + numberOf(row, metric));
  const largest = new Set(
    [...totals]
      .sort(([, a], [, b]) => b - a)
      .slice(0, MAX_SERIES)
      .map(([name]) => name),
  );
  const sums = new Map<string, Record<string, string | number | null>>();
  const bucket = `date__${granularity}`;
  for (const row of rows) {
    const group = largest.has(nameOf(row)) ? nameOf(row) : OTHERS;
    const place = `${row[bucket]} ${group}`;
    const sum = sums.get(place) ?? { [bucket]: row[bucket] ?? null, group, [metric]: 0 };
    sum[metric] = Number(sum[metric]) + numberOf(row, metric);
    sums.set(place, sum);
  }
  return [...sums.values()];
}
