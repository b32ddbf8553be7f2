import { Paper, SimpleGrid, Skeleton, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { analytics, inWorkspace, numberOf, seriesOf, type AnalyticsRow } from '../../api/analytics';
import type { AnalyticsQuery } from '../../api/records';
import { Chart } from '../../chart/chart';
import { Loaded } from '../../components/loaded';
import { shortCount, usd } from '../../format/amounts';
import {
  requestedGranularity,
  bucketsOf,
  choiceOfBucket,
  granularityWord,
  isRunning,
  placeOf,
  type Buckets,
} from '../../format/buckets';
import { granularityOf } from '../../format/ranges';
import type { Scope } from '../../scope/use-scope';
import { HEIGHT_PX, NothingYet } from './nothing-yet';
import { t } from '../../text/translate';

/** Spend and requests over time. A click on a bucket opens its calls. */
export function History({ workspace, time, zone, asOf }: Scope): ReactNode {
  const navigate = useNavigate();
  const buckets = bucketsOf(time, granularityOf(time), zone, true);
  const history = useQuery(
    analytics({
      metrics: ['credits_usage', 'byok_usage', 'request_count', 'error_count'],
      granularity: requestedGranularity(buckets) as AnalyticsQuery['granularity'],
      filters: inWorkspace(workspace),
      time_range: time,
    }),
  );
  const { granularity } = buckets;
  const isUtc = placeOf(buckets, zone) === 'utc';
  const per = t('per {granularity}', { granularity: `${granularityWord(granularity)}${isUtc ? ' (UTC)' : ''}` });
  const shared = {
    granularity,
    isRunning: isRunning(buckets, asOf),
    onChoose: (time: number): void => void navigate({ to: '/calls', search: choiceOfBucket(buckets, time, zone) }),
  };
  return (
    <Loaded query={history} placeholder={<Waiting />}>
      {({ rows }) =>
        rows.every((row) => numberOf(row, 'request_count') === 0) ? (
          <NothingYet />
        ) : (
          <SimpleGrid cols={{ base: 1, md: 2 }} data-old={history.isPlaceholderData || undefined}>
            <Paper withBorder p="sm">
              <Title order={2}>{t('Spend {per}', { per })}</Title>
              <Chart
                label={t('Spend per {granularity}', { granularity: granularityWord(granularity) })}
                kind="bars"
                format={usd}
                {...shared}
                {...spendOf(rows, buckets)}
              />
            </Paper>
            <Paper withBorder p="sm">
              <Title order={2}>{t('Requests {per}', { per })}</Title>
              <Chart
                label={t('Requests per {granularity}', { granularity: granularityWord(granularity) })}
                kind="bars"
                format={shortCount}
                {...shared}
                {...callsOf(rows, buckets)}
              />
            </Paper>
          </SimpleGrid>
        )
      }
    </Loaded>
  );
}

/** A placeholder with the height of the charts, so that nothing moves when they are shown. */
function Waiting(): ReactNode {
  return (
    <SimpleGrid cols={{ base: 1, md: 2 }} role="status" aria-label={t('Loading')}>
      <Skeleton h={HEIGHT_PX} />
      <Skeleton h={HEIGHT_PX} />
    </SimpleGrid>
  );
}

/** The spend from credits and, if there was any, the spend on own credentials, which providers bill to the owners. */
function spendOf(rows: readonly AnalyticsRow[], buckets: Buckets): ReturnType<typeof seriesOf> {
  const { times, series } = seriesOf(rows, buckets, 'credits_usage', () => t('Spend'));
  const own = seriesOf(rows, buckets, 'byok_usage', () => t('On own credentials')).series;
  return { times, series: rows.some((row) => numberOf(row, 'byok_usage') > 0) ? [...series, ...own] : series };
}

/** The requests, with failed ones separate. The bars add up to all requests. */
function callsOf(rows: readonly AnalyticsRow[], buckets: Buckets): ReturnType<typeof seriesOf> {
  const parted = rows.map((row) => ({
    ...row,
    succeeded_count: numberOf(row, 'request_count') - numberOf(row, 'error_count'),
  }));
  const { times, series } = seriesOf(parted, buckets, 'succeeded_count', () => t('Successful'));
  const failed = seriesOf(parted, buckets, 'error_count', () => t('Failed')).series;
  return { times, series: [...series, ...failed.map((each) => ({ ...each, isFailure: true }))] };
}
