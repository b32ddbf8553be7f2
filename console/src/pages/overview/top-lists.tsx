import { Group, Paper, Progress, Stack, Text, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { analytics, numberOf } from '../../api/analytics';
import { useKeyNames } from '../../api/keys';
import type { AnalyticsQuery } from '../../api/records';
import { Loaded } from '../../components/loaded';
import { count, usd } from '../../format/amounts';
import { PageLink } from '../../components/page-link';
import { modelPath } from '../../api/models';

const TOP = 8;

interface TopProps {
  readonly time_range: NonNullable<AnalyticsQuery['time_range']>;
}

const topQuery = (dimension: 'model' | 'api_key_id', { time_range }: TopProps): AnalyticsQuery => ({
  metrics: ['credits_usage', 'byok_usage', 'request_count'],
  dimensions: [dimension],
  order_by: { field: 'credits_usage', direction: 'desc' },
  limit: TOP,
  time_range,
});

export function TopModels(props: TopProps): ReactNode {
  const query = useQuery(analytics(topQuery('model', props)));
  return (
    <TopList title="Top models">
      <Loaded query={query}>
        {({ rows }) => (
          <Bars
            rows={rows.map((row) => ({
              key: String(row.model),
              name: (
                <PageLink to="/models/$author/$slug" params={modelPath(String(row.model))} size="sm">
                  {String(row.model)}
                </PageLink>
              ),
              spend: numberOf(row, 'credits_usage'),
              own: numberOf(row, 'byok_usage'),
              calls: numberOf(row, 'request_count'),
            }))}
          />
        )}
      </Loaded>
    </TopList>
  );
}

export function TopKeys(props: TopProps): ReactNode {
  const nameOf = useKeyNames();
  const query = useQuery(analytics(topQuery('api_key_id', props)));
  return (
    <TopList title="Top keys">
      <Loaded query={query}>
        {({ rows }) => (
          <Bars
            rows={rows.map(({ api_key_id, ...row }) => ({
              key: String(api_key_id),
              name: (
                <PageLink to="/keys/$hash" params={{ hash: String(api_key_id) }} size="sm">
                  {nameOf(api_key_id)}
                </PageLink>
              ),
              spend: numberOf(row, 'credits_usage'),
              own: numberOf(row, 'byok_usage'),
              calls: numberOf(row, 'request_count'),
            }))}
          />
        )}
      </Loaded>
    </TopList>
  );
}

function TopList({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactNode {
  return (
    <Paper withBorder p="sm">
      <Title order={2} mb="xs">
        {title}
      </Title>
      {children}
    </Paper>
  );
}

interface Bar {
  readonly key: string;
  readonly name: ReactNode;
  readonly spend: number;
  /** On own credentials. */
  readonly own: number;
  readonly calls: number;
}

/** Bars by spend, or by calls where nothing was spent. */
function Bars({ rows }: { readonly rows: readonly Bar[] }): ReactNode {
  if (rows.length === 0) return <Text c="dimmed">No calls in this time.</Text>;
  const isFree = rows.every(({ spend }) => spend === 0);
  const sizeOf = (row: Bar): number => (isFree ? row.calls : row.spend);
  const largest = Math.max(...rows.map(sizeOf), Number.MIN_VALUE);
  return (
    <Stack gap="xs">
      {rows.map((row) => (
        <div key={row.key}>
          <Group justify="space-between" wrap="nowrap" gap="xs">
            <Text size="sm" truncate>
              {row.name}
            </Text>
            <Text size="sm" style={{ whiteSpace: 'nowrap' }}>
              {usd(row.spend)}
              {row.own > 0 && ` · ${usd(row.own)} on own credentials`} · {count(row.calls)}{' '}
              {row.calls === 1 ? 'call' : 'calls'}
            </Text>
          </Group>
          <Progress value={(sizeOf(row) / largest) * 100} size="sm" aria-hidden />
        </div>
      ))}
    </Stack>
  );
}
