import { Group, Paper, Progress, Select, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { analytics, numberOf, type AnalyticsFilters } from '../api/analytics';
import { modelPath } from '../api/models';
import type { AnalyticsQuery } from '../api/records';
import { Loaded } from '../components/loaded';
import { PageLink } from '../components/page-link';
import { plural, usd } from '../format/amounts';
import type { TimeRange } from '../format/ranges';
import { KeyLink, PersonLink, WorkspaceLink } from '../names/name-links';

const TOP = 8;
const LABELS = {
  model: 'Top models',
  api_key_id: 'Top keys',
  user: 'Top members',
  workspace: 'Top workspaces',
  external_user: 'Top end users',
  provider: 'Top providers',
} as const;
type Dimension = keyof typeof LABELS;
const isDimension = (value: string | null): value is Dimension => value !== null && value in LABELS;

interface TopListProps {
  readonly first: Dimension;
  /** The calls that are counted. */
  readonly filters: AnalyticsFilters;
  readonly time: TimeRange;
}

/** Who or what spent most, by a dimension that can be changed. */
export function TopList({ first, filters, time }: TopListProps): ReactNode {
  const [dimension, choose] = useState<Dimension>(first);
  const query = useQuery(
    analytics({
      metrics: ['credits_usage', 'byok_usage', 'request_count'],
      dimensions: [dimension],
      filters,
      order_by: { field: 'credits_usage', direction: 'desc' },
      limit: TOP,
      time_range: time,
    } satisfies AnalyticsQuery),
  );
  return (
    <Paper withBorder p="sm">
      <VisuallyHidden component="h2">{LABELS[dimension]}</VisuallyHidden>
      <Group justify="space-between" mb="xs">
        <Select
          aria-label={first === 'model' ? 'First ranking' : 'Second ranking'}
          size="xs"
          w={170}
          data={Object.entries(LABELS).map(([value, label]) => ({ value, label }))}
          value={dimension}
          onChange={(value) => isDimension(value) && choose(value)}
          allowDeselect={false}
        />
        <PageLink to="/usage" search={{ by: [dimension] }} size="sm">
          All in Usage
        </PageLink>
      </Group>
      <Loaded query={query} placeholder={<Waiting />}>
        {({ rows }) => (
          <Bars
            rows={rows
              .filter((row) => dimension in row)
              .map((row) => ({
                key: String(row[dimension]),
                name: <Name dimension={dimension} value={row[dimension] ?? null} />,
                spend: numberOf(row, 'credits_usage'),
                own: numberOf(row, 'byok_usage'),
                calls: numberOf(row, 'request_count'),
              }))}
          />
        )}
      </Loaded>
    </Paper>
  );
}

function Waiting(): ReactNode {
  return (
    <Stack gap="xs" role="status" aria-label="Loading">
      {Array.from({ length: TOP }, (_, at) => (
        <Skeleton key={at} h={26} />
      ))}
    </Stack>
  );
}

interface NameProps {
  readonly dimension: Dimension;
  readonly value: string | number | null;
}

/** The name of a group, as a link where it has a page. */
function Name({ dimension, value }: NameProps): ReactNode {
  const text = String(value);
  if (value === null) return 'none';
  if (dimension === 'model')
    return (
      <PageLink to="/models/$author/$slug" params={modelPath(text)} size="sm">
        {text}
      </PageLink>
    );
  if (dimension === 'api_key_id') return <KeyLink hash={text} />;
  if (dimension === 'user') return <PersonLink id={text} />;
  return dimension === 'workspace' ? <WorkspaceLink id={text} /> : text;
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
            <Text size="sm" className="figures" style={{ whiteSpace: 'nowrap' }}>
              {usd(row.spend)}
              {row.own > 0 && ` · ${usd(row.own)} on own credentials`} · {plural(row.calls, 'call')}
            </Text>
          </Group>
          <Progress value={(sizeOf(row) / largest) * 100} size="sm" aria-hidden />
        </div>
      ))}
    </Stack>
  );
}
