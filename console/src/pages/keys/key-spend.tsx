import { Group, Paper, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { analytics, numberOf, seriesOf, type AnalyticsRow } from '../../api/analytics';
import type { AnalyticsQuery } from '../../api/records';
import { Chart } from '../../chart/chart';
import { Loaded } from '../../components/loaded';
import { PageLink } from '../../components/page-link';
import { count, usd } from '../../format/amounts';
import {
  requestedGranularity,
  bucketsOf,
  choiceOfBucket,
  granularityWord,
  isRunning,
  placeOf,
} from '../../format/buckets';
import { granularityOf } from '../../format/ranges';
import { useScope } from '../../scope/use-scope';
import { DataTable, type Column } from '../../table/data-table';
import { t } from '../../text/translate';

const SPEND_COLUMNS: readonly Column<AnalyticsRow>[] = [
  { header: t('Model'), cell: ({ model }) => String(model) },
  { header: t('Spent'), cell: (row) => usd(numberOf(row, 'credits_usage')), isNumeric: true },
  { header: t('On own credentials'), cell: (row) => usd(numberOf(row, 'byok_usage')), isNumeric: true },
  { header: t('Requests'), cell: (row) => count(numberOf(row, 'request_count')), isNumeric: true },
  { header: t('Tokens'), cell: (row) => count(numberOf(row, 'tokens_total')), isNumeric: true },
];

const MAX_ROWS = 100_000;
const SPEND_METRICS = ['credits_usage', 'byok_usage', 'request_count', 'tokens_total'] as const;

/** The sums of all buckets, most expensive model first. */
function totalsByModel(rows: readonly AnalyticsRow[]): AnalyticsRow[] {
  const totals = new Map<string, Record<string, string | number>>();
  for (const row of rows) {
    const model = String(row.model);
    const total = totals.get(model) ?? { model };
    for (const metric of SPEND_METRICS) total[metric] = Number(total[metric] ?? 0) + numberOf(row, metric);
    totals.set(model, total);
  }
  return [...totals.values()].toSorted((a, b) => numberOf(b, 'credits_usage') - numberOf(a, 'credits_usage'));
}

/** The spend of a key by model. A click on a bucket opens its calls. */
export function SpendByModel({ hash }: { readonly hash: string }): ReactNode {
  const { time, zone, asOf } = useScope();
  const navigate = useNavigate();
  const buckets = bucketsOf(time, granularityOf(time), zone, true);
  const { granularity } = buckets;
  const spend = useQuery(
    analytics({
      metrics: [...SPEND_METRICS],
      dimensions: ['model'],
      granularity: requestedGranularity(buckets) as AnalyticsQuery['granularity'],
      filters: [{ field: 'api_key_id', operator: 'eq', value: hash }],
      time_range: time,
      limit: MAX_ROWS,
    }),
  );
  const openCalls = (at: number): void =>
    void navigate({ to: '/calls', search: { key: hash, ...choiceOfBucket(buckets, at, zone) } });
  return (
    <Paper withBorder p="sm">
      <Title order={2}>
        {t('Spend by model, per {granularity}', { granularity: granularityWord(granularity) })}
        {placeOf(buckets, zone) === 'utc' && ' (UTC)'}
      </Title>
      <Loaded query={spend}>
        {({ rows }) => (
          <div data-old={spend.isPlaceholderData || undefined}>
            {rows.length > 0 && (
              <Chart
                label={t('Spend per {granularity}, by model', { granularity: granularityWord(granularity) })}
                kind="bars"
                granularity={granularity}
                format={usd}
                isRunning={isRunning(buckets, asOf)}
                onChoose={openCalls}
                {...seriesOf(rows, buckets, 'credits_usage', ({ model }) => String(model))}
              />
            )}
            <DataTable
              label={t('Spend by model')}
              columns={SPEND_COLUMNS}
              rows={totalsByModel(rows)}
              rowKey={({ model }) => String(model)}
              empty={t('It made no calls in this time.')}
            />
          </div>
        )}
      </Loaded>
      <Group mt="xs">
        <PageLink to="/usage" search={{ by: ['model'], key: hash }} size="sm">
          {t('Open in Usage')}
        </PageLink>
        <PageLink to="/calls" search={{ key: hash }} size="sm">
          {t('Its calls')}
        </PageLink>
      </Group>
    </Paper>
  );
}
