import { Alert, Group, Paper, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { QUERY_KEYS } from '../../api/query-keys';
import { analytics, numberOf, seriesOf, type AnalyticsRow } from '../../api/analytics';
import { api, body } from '../../api/client';
import { useMay } from '../../api/session';
import { Chart } from '../../components/chart';
import { Loaded } from '../../components/loaded';
import { PageHeader } from '../../components/page-header';
import { PageLink } from '../../components/page-link';
import { count, milliseconds, share, shortCount, usd } from '../../format/amounts';
import type { Buckets } from '../../format/buckets';
import { granularityOf, type TimeRange } from '../../format/ranges';
import { useScope } from '../../scope/use-scope';
import { OwnKey } from './own-key';
import { TopKeys, TopModels } from './top-lists';

const TOTALS = [
  'credits_usage',
  'byok_usage',
  'request_count',
  'error_count',
  'error_rate',
  'p50_latency',
  'p99_latency',
] as const;

/** What the account spent and called, and what its credits still cover. */
export function OverviewPage(): ReactNode {
  return useMay('usage.sums') ? <AccountOverview /> : <OwnKey />;
}

function AccountOverview(): ReactNode {
  const { time: time_range } = useScope();
  return (
    <Stack>
      <PageHeader title="Overview" />
      <Totals time_range={time_range} />
      <History time_range={time_range} />
      <SimpleGrid cols={{ base: 1, md: 2 }}>
        <TopModels time_range={time_range} />
        <TopKeys time_range={time_range} />
      </SimpleGrid>
    </Stack>
  );
}

function Totals({ time_range }: { readonly time_range: TimeRange }): ReactNode {
  const readsCredits = useMay('credits.read');
  const totals = useQuery(analytics({ metrics: [...TOTALS], time_range }));
  const credits = useQuery({
    queryKey: QUERY_KEYS.credits,
    queryFn: async () => (await body(api.GET('/api/v1/credits'))).data,
    enabled: readsCredits,
  });
  return (
    <Loaded query={totals}>
      {({ rows: [row] }) => (
        <>
          {numberOf(row, 'request_count') === 0 && <NothingYet />}
          <SimpleGrid cols={{ base: 2, sm: 4, xl: 7 }} component="dl" m={0}>
            <Figure label="Spend" value={usd(numberOf(row, 'credits_usage'))} />
            <Figure label="On own credentials" value={usd(numberOf(row, 'byok_usage'))} />
            <Figure label="Requests" value={count(numberOf(row, 'request_count'))} />
            <Figure
              label="Errors"
              value={count(numberOf(row, 'error_count'))}
              more={share(numberOf(row, 'error_rate'))}
            />
            <Figure label="Latency, p50" value={milliseconds(row?.p50_latency as number | null)} />
            <Figure label="Latency, p99" value={milliseconds(row?.p99_latency as number | null)} />
            {readsCredits && (
              <Figure
                label="Credits left"
                value={credits.data ? usd(credits.data.total_credits - credits.data.total_usage) : '…'}
              />
            )}
          </SimpleGrid>
        </>
      )}
    </Loaded>
  );
}

function NothingYet(): ReactNode {
  const canChat = useMay('inference');
  const canCreateKeys = useMay('keys.write');
  return (
    <Alert variant="outline" title="No calls in this time">
      <Group gap="md">
        {canChat && (
          <PageLink to="/playground" underline="always">
            Chat in the playground
          </PageLink>
        )}
        {canCreateKeys && (
          <PageLink to="/keys" underline="always">
            Create a key for a program
          </PageLink>
        )}
        <PageLink to="/models" underline="always">
          See which models can be called
        </PageLink>
      </Group>
    </Alert>
  );
}

interface FigureProps {
  readonly label: string;
  readonly value: string;
  readonly more?: string;
}

function Figure({ label, value, more }: FigureProps): ReactNode {
  return (
    <Paper withBorder p="sm">
      <Text component="dt" size="sm" c="dimmed">
        {label}
      </Text>
      <Group component="dd" gap={6} m={0} align="baseline">
        <Text component="span" fw={700} size="lg">
          {value}
        </Text>
        {more && (
          <Text component="span" size="sm" c="dimmed">
            {more}
          </Text>
        )}
      </Group>
    </Paper>
  );
}

function History({ time_range }: { readonly time_range: TimeRange }): ReactNode {
  const granularity = granularityOf(time_range);
  const history = useQuery(
    analytics({ metrics: ['credits_usage', 'byok_usage', 'request_count', 'error_count'], granularity, time_range }),
  );
  return (
    <Loaded query={history}>
      {({ rows }) => (
        <SimpleGrid cols={{ base: 1, md: 2 }}>
          <Paper withBorder p="sm">
            <Title order={2}>Spend per {granularity} (UTC)</Title>
            <Chart
              label={`Spend per ${granularity}`}
              kind="bars"
              format={usd}
              {...spendOf(rows, { granularity, ...time_range })}
            />
          </Paper>
          <Paper withBorder p="sm">
            <Title order={2}>Requests per {granularity} (UTC)</Title>
            <Chart
              label={`Requests per ${granularity}`}
              kind="lines"
              format={shortCount}
              {...callsOf(rows, { granularity, ...time_range })}
            />
          </Paper>
        </SimpleGrid>
      )}
    </Loaded>
  );
}

/** What was charged, and beside it what providers bill to the owners of own credentials, where there is any. */
function spendOf(rows: readonly AnalyticsRow[], buckets: Buckets): ReturnType<typeof seriesOf> {
  const { times, series } = seriesOf(rows, buckets, 'credits_usage', () => 'Spend');
  const own = seriesOf(rows, buckets, 'byok_usage', () => 'On own credentials').series;
  return { times, series: rows.some((row) => numberOf(row, 'byok_usage') > 0) ? [...series, ...own] : series };
}

function callsOf(rows: readonly AnalyticsRow[], buckets: Buckets): ReturnType<typeof seriesOf> {
  const { times, series } = seriesOf(rows, buckets, 'request_count', () => 'Requests');
  return { times, series: [...series, ...seriesOf(rows, buckets, 'error_count', () => 'Errors').series] };
}
