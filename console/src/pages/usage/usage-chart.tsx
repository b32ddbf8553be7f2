import { Group, Select, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, useState, type ReactNode } from 'react';
import { analytics, analyticsWords, isSum } from '../../api/analytics';
import { useKeyNames } from '../../api/keys';
import type { AnalyticsQuery } from '../../api/records';
import { Chart } from '../../components/chart';
import { Loaded } from '../../components/loaded';
import { chartQuery, chartSeries } from './chart-series';
import { useMetricFormats } from './usage-table';

/** One metric of the query over time, by the first dimension. Sums are stacked bars, all others lines. */
export function UsageChart({ request }: { readonly request: AnalyticsQuery }): ReactNode {
  const { metrics } = request;
  const [chosen, choose] = useState<string>(metrics[0]!);
  const metric = metrics.find((name) => name === chosen) ?? metrics[0]!;
  const query = useMemo(() => chartQuery(request, metric), [request, metric]);
  const result = useQuery(analytics(query));
  const formatOf = useMetricFormats();
  const nameOf = useKeyNames();
  const { data: words } = useQuery(analyticsWords);
  const labelOf = (name: string): string => words?.metrics.find((word) => word.name === name)?.display_label ?? name;
  const [dimension] = query.dimensions ?? [];
  const groupNameOf = (value: string | number | null): string => {
    if (!dimension) return labelOf(metric);
    return dimension === 'api_key_id' ? nameOf(value) : String(value ?? 'none');
  };
  return (
    <Loaded query={result}>
      {({ rows }) => {
        const { times, series, isPartial } = chartSeries(rows, query, metric, groupNameOf);
        return (
          <>
            <Group align="flex-end" justify="space-between" mb="xs">
              <Select
                label="Chart of"
                data={metrics.map((name) => ({ value: name, label: labelOf(name) }))}
                value={metric}
                onChange={(name) => name && choose(name)}
                allowDeselect={false}
                maw={240}
              />
              {isPartial && (
                <Text size="sm" c="dimmed">
                  The {series.length} groups with the most requests
                </Text>
              )}
            </Group>
            {rows.length === 0 ? (
              <Text c="dimmed">No calls match this query.</Text>
            ) : (
              <Chart
                label={`${labelOf(metric)} per ${query.granularity}`}
                kind={isSum(metric) ? 'bars' : 'lines'}
                format={formatOf(metric)}
                times={times}
                series={series}
              />
            )}
          </>
        );
      }}
    </Loaded>
  );
}
