import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { analyticsMeta, totalOf, type AnalyticsRow } from '../../api/analytics';
import type { AnalyticsQuery } from '../../api/records';
import { DataTable, type Column } from '../../table/data-table';
import { ABSENT, count, milliseconds, share, usd, speed } from '../../format/amounts';
import { bucketLabel, zoneLabel } from '../../format/times';
import { useNames, type Names } from '../../names/use-names';
import { columnsOf } from './usage-export';
import { t } from '../../text/translate';

type Value = AnalyticsRow[string];

const FORMATS: Readonly<Record<string, (value: number) => string>> = {
  number: count,
  currency: usd,
  percent: share,
  latency: milliseconds,
  throughput: speed,
};

/** The format of each metric's values, by its name. */
export function useMetricFormats(): (metric: string) => (value: number) => string {
  const { data } = useQuery(analyticsMeta);
  const formats = new Map(data?.metrics.map(({ name, display_format }) => [name, display_format]));
  return (metric) => FORMATS[formats.get(metric) ?? 'number'] ?? count;
}

const NAMED: Readonly<Record<string, keyof Names>> = { api_key_id: 'key', user: 'person', workspace: 'workspace' };

/** The display names of a dimension's values: keys, members and workspaces have names. */
export function useGroupNames(): (dimension: string, value: Value) => string {
  const names = useNames();
  return (dimension, value) => {
    if (value == null) return t('none');
    const text = String(value);
    const kind = NAMED[dimension];
    return kind ? names[kind](text) : text;
  };
}

interface UsageTableProps {
  readonly request: AnalyticsQuery;
  readonly rows: readonly AnalyticsRow[];
}

export function UsageTable({ request, rows }: UsageTableProps): ReactNode {
  const { data: words } = useQuery(analyticsMeta);
  const formatOf = useMetricFormats();
  const groupNameOf = useGroupNames();
  const labels = useMemo(
    () =>
      new Map([...(words?.metrics ?? []), ...(words?.dimensions ?? [])].map((word) => [word.name, word.display_label])),
    [words],
  );
  const total = useMemo(() => totalOf(rows, request.metrics), [rows, request.metrics]);
  const bucket = `date__${request.granularity}`;
  const isMetric = new Set<string>(request.metrics);
  const names = columnsOf(request);
  const cellText = (column: string, row: AnalyticsRow): string => {
    const value = row[column];
    if (row === total && column === names[0] && !isMetric.has(column)) return t('Total');
    if (row === total && value == null) return '';
    if (value === undefined || (value === null && isMetric.has(column))) return ABSENT;
    if (isMetric.has(column)) return formatOf(column)(Number(value));
    if (column === bucket) return bucketLabel(String(value), request.granularity!);
    return groupNameOf(column, value);
  };
  const sortValue = (column: string, row: AnalyticsRow): Value => {
    const value = row[column] ?? null;
    return isMetric.has(column) ? value : cellText(column, row);
  };
  const columns: Column<AnalyticsRow>[] = names.map((column) => ({
    header: column === bucket ? timeHeader(request) : (labels.get(column) ?? column),
    cell: (row) => cellText(column, row),
    sortBy: (row) => (column === bucket ? (row[column] ?? null) : sortValue(column, row)),
    isNumeric: isMetric.has(column),
  }));
  return (
    <DataTable
      label={t('Usage')}
      columns={columns}
      rows={rows}
      rowKey={(row, index) => names.map((name) => row[name]).join(' ') || String(index)}
      empty={t('No calls match this query.')}
      total={total}
    />
  );
}

/** Rows have the buckets of the API: days are in UTC, and hours are shown in the zone of the header. */
const timeHeader = ({ granularity }: AnalyticsQuery): string =>
  t('Time ({zone})', { zone: granularity === 'hour' || granularity === 'minute' ? zoneLabel() : 'UTC' });
