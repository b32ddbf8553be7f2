import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { analyticsWords, type AnalyticsRow } from '../../api/analytics';
import { useKeyNames } from '../../api/keys';
import type { AnalyticsQuery } from '../../api/records';
import { DataTable, type Column } from '../../components/data-table';
import { ABSENT, count, milliseconds, share, usd } from '../../format/amounts';
import { bucketLabel } from '../../format/times';
import { columnsOf } from './usage.page';

type Value = AnalyticsRow[string];

const FORMATS: Readonly<Record<string, (value: number) => string>> = {
  number: count,
  currency: usd,
  percent: share,
  latency: milliseconds,
  throughput: (value) => `${value.toFixed(1)} tokens/s`,
};

/** How the values of each metric are written, by its name. */
export function useMetricFormats(): (metric: string) => (value: number) => string {
  const { data } = useQuery(analyticsWords);
  const formats = new Map(data?.metrics.map(({ name, display_format }) => [name, display_format]));
  return (metric) => FORMATS[formats.get(metric) ?? 'number'] ?? count;
}

interface UsageTableProps {
  readonly request: AnalyticsQuery;
  readonly rows: readonly AnalyticsRow[];
}

export function UsageTable({ request, rows }: UsageTableProps): ReactNode {
  const { data: words } = useQuery(analyticsWords);
  const formatOf = useMetricFormats();
  const nameOf = useKeyNames();
  const labels = useMemo(
    () =>
      new Map([...(words?.metrics ?? []), ...(words?.dimensions ?? [])].map((word) => [word.name, word.display_label])),
    [words],
  );
  const bucket = `date__${request.granularity}`;
  const isMetric = new Set<string>(request.metrics);
  const cellText = (column: string, value: Value): string => {
    if (value == null) return ABSENT;
    if (isMetric.has(column)) return formatOf(column)(Number(value));
    if (column === bucket) return bucketLabel(String(value), request.granularity!);
    return column === 'api_key_id' ? nameOf(value) : String(value);
  };
  const columns: Column<AnalyticsRow>[] = columnsOf(request).map((column) => ({
    header: column === bucket ? 'Time (UTC)' : (labels.get(column) ?? column),
    cell: (row) => cellText(column, row[column] ?? null),
    isNumeric: isMetric.has(column),
  }));
  return (
    <DataTable
      label="Usage"
      columns={columns}
      rows={rows}
      rowKey={(_row, index) => String(index)}
      empty="No calls match this query."
    />
  );
}
