import { Paper, SimpleGrid, Skeleton, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { analytics, inWorkspace, numberOf, seriesOf, type AnalyticsRow } from '../../api/analytics';
import type { AnalyticsQuery } from '../../api/records';
import { Chart } from '../../chart/chart';
import { Loaded } from '../../components/loaded';
import { shortCount, usd } from '../../format/amounts';
import { askedGranularity, bucketsOf, choiceOfBucket, isRunning, type Buckets } from '../../format/buckets';
import { granularityOf } from '../../format/ranges';
import type { Scope } from '../../scope/use-scope';

/** Spend and requests over time. A click on a bucket opens its calls. */
export function History({ workspace, time, zone, asOf }: Scope): ReactNode {
  const navigate = useNavigate();
  const buckets = bucketsOf(time, granularityOf(time), zone, true);
  const history = useQuery(
    analytics({
      metrics: ['credits_usage', 'byok_usage', 'request_count', 'error_count'],
      granularity: askedGranularity(buckets) as AnalyticsQuery['granularity'],
      filters: inWorkspace(workspace),
      time_range: time,
    }),
  );
  const { granularity } = buckets;
  const place = buckets.daysOf ?? (granularity === 'hour' ? zone : 'utc');
  const per = `per ${granularity}${place === 'utc' ? ' (UTC)' : ''}`;
  const shared = {
    granularity,
    isRunning: isRunning(buckets, asOf),
    onChoose: (time: number): void => void navigate({ to: '/calls', search: choiceOfBucket(buckets, time, zone) }),
  };
  return (
    <Loaded query={history} placeholder={<Waiting />}>
      {({ rows }) => (
        <SimpleGrid cols={{ base: 1, md: 2 }} data-old={history.isPlaceholderData || undefined}>
          <Paper withBorder p="sm">
            <Title order={2}>Spend {per}</Title>
            <Chart
              label={`Spend per ${granularity}`}
              kind="bars"
              format={usd}
              {...shared}
              {...spendOf(rows, buckets)}
            />
          </Paper>
          <Paper withBorder p="sm">
            <Title order={2}>Requests {per}</Title>
            <Chart
              label={`Requests per ${granularity}`}
              kind="bars"
              format={shortCount}
              {...shared}
              {...callsOf(rows, buckets)}
            />
          </Paper>
        </SimpleGrid>
      )}
    </Loaded>
  );
}

/** As high as what comes, so that nothing moves when it does. */
function Waiting(): ReactNode {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} role="status" aria-label="Loading">
      <Skeleton h={330} />
      <Skeleton h={330} />
    </SimpleGrid>
  );
}

/** What was charged, and beside it what providers bill to the owners of own credentials, where there is any. */
function spendOf(rows: readonly AnalyticsRow[], buckets: Buckets): ReturnType<typeof seriesOf> {
  const { times, series } = seriesOf(rows, buckets, 'credits_usage', () => 'Spend');
  const own = seriesOf(rows, buckets, 'byok_usage', () => 'On own credentials').series;
  return { times, series: rows.some((row) => numberOf(row, 'byok_usage') > 0) ? [...series, ...own] : series };
}

/** Failed requests apart: the bars add up to all requests. */
function callsOf(rows: readonly AnalyticsRow[], buckets: Buckets): ReturnType<typeof seriesOf> {
  const parted = rows.map((row) => ({
    ...row,
    succeeded_count: numberOf(row, 'request_count') - numberOf(row, 'error_count'),
  }));
  const { times, series } = seriesOf(parted, buckets, 'succeeded_count', () => 'Successful');
  const failed = seriesOf(parted, buckets, 'error_count', () => 'Failed').series;
  return { times, series: [...series, ...failed.map((each) => ({ ...each, isFailure: true }))] };
}
