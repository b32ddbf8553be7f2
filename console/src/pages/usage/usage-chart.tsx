import { Group, Select, Switch, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { analytics, analyticsMeta, isSum, seriesOf } from '../../api/analytics';
import type { AnalyticsQuery } from '../../api/records';
import { Chart, type Series } from '../../chart/chart';
import { Loaded } from '../../components/loaded';
import { choiceOfBucket, granularityWord, isRunning } from '../../format/buckets';
import { useScope } from '../../scope/use-scope';
import { previousPeriodQuery, chartQuery, chartSeries, runningTotals, type ChartQuery } from './chart-series';
import type { UsageSearch } from './usage-query';
import { useGroupNames, useMetricFormats } from './usage-table';
import { t } from '../../text/translate';
import { Placeholder } from '../../components/placeholder';

const CHART_PX = 380;

interface UsageChartProps {
  readonly request: AnalyticsQuery;
  readonly search: UsageSearch;
  readonly onChange: (part: UsageSearch) => void;
}

/** The total of the previous period of the same length, by bucket. */
function useBefore(query: ChartQuery, metric: string, isOn: boolean): readonly (number | null)[] | undefined {
  const before = useMemo(() => previousPeriodQuery(query), [query]);
  const { data } = useQuery({ ...analytics(before.request), enabled: isOn });
  if (!isOn || !data) return undefined;
  return seriesOf(data.rows, before.buckets, metric, () => '').series[0]?.values ?? [];
}

/** A placeholder with the height of the chart and its fields, so that nothing moves when they are shown. */
export const WaitingChart = (): ReactNode => <Placeholder h={CHART_PX} />;

/**
 * One metric of the query over time, by the first dimension. Sums are drawn as stacked bars, other metrics as lines.
 */
export function UsageChart({ request, search, onChange }: UsageChartProps): ReactNode {
  const { metrics } = request;
  const { zone, asOf } = useScope();
  const navigate = useNavigate();
  const metric = metrics.find((name) => name === search.chart) ?? metrics[0]!;
  const query = useMemo(() => chartQuery(request, metric, zone), [request, metric, zone]);
  const result = useQuery(analytics(query.request));
  const formatOf = useMetricFormats();
  const groupNameOf = useGroupNames();
  const { data: words } = useQuery(analyticsMeta);
  const labelOf = (name: string): string => words?.metrics.find((word) => word.name === name)?.display_label ?? name;
  const [dimension] = query.request.dimensions ?? [];
  const nameOf = (value: string | number | null): string =>
    dimension ? groupNameOf(dimension, value) : labelOf(metric);
  const canAdd = isSum(metric);
  const isCumulative = canAdd && search.cumulative === true;
  const before = useBefore(query, metric, canAdd && search.compare === true);
  const drawn = (values: readonly (number | null)[]): readonly (number | null)[] =>
    isCumulative ? runningTotals(values) : values;
  const { buckets } = query;
  const openCalls = (time: number): void => {
    const { key, model, status } = search;
    void navigate({ to: '/calls', search: { key, model, status, ...choiceOfBucket(buckets, time, zone) } });
  };
  return (
    <Loaded query={result} placeholder={<WaitingChart />}>
      {({ rows }) => {
        const { times, series, isPartial } = chartSeries(rows, query, metric, nameOf);
        const reference: Series[] = before
          ? [{ label: t('The time before'), values: drawn(before.slice(0, times.length)), isReference: true }]
          : [];
        return (
          <>
            <Group align="flex-end" mb="xs">
              <Select
                label={t('Chart of')}
                data={metrics.map((name) => ({ value: name, label: labelOf(name) }))}
                value={metric}
                onChange={(name) => name && onChange({ chart: name === metrics[0] ? undefined : name })}
                allowDeselect={false}
                maw={240}
              />
              {canAdd && (
                <>
                  <Switch
                    label={t('Cumulative')}
                    checked={isCumulative}
                    onChange={(event) => onChange({ cumulative: event.currentTarget.checked || undefined })}
                    mb={8}
                  />
                  <Switch
                    label={t('Compare with the time before')}
                    checked={search.compare === true}
                    onChange={(event) => onChange({ compare: event.currentTarget.checked || undefined })}
                    mb={8}
                  />
                </>
              )}
              {isPartial && (
                <Text size="sm" c="dimmed" mb={8}>
                  {t('The {series} groups with the most requests', { series: series.length })}
                </Text>
              )}
            </Group>
            {rows.length === 0 ? (
              <Text size="sm" c="dimmed">
                {t('No calls match this query.')}
              </Text>
            ) : (
              <div data-old={result.isPlaceholderData || undefined}>
                <Chart
                  label={t('{metric} per {granularity}', {
                    metric: labelOf(metric),
                    granularity: granularityWord(buckets.granularity),
                  })}
                  kind={canAdd ? 'bars' : 'lines'}
                  format={formatOf(metric)}
                  granularity={buckets.granularity}
                  isRunning={isRunning(buckets, asOf)}
                  onChoose={openCalls}
                  times={times}
                  series={[...series.map((each) => ({ ...each, values: drawn(each.values) })), ...reference]}
                />
              </div>
            )}
          </>
        );
      }}
    </Loaded>
  );
}
