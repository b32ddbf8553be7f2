import { Box, Group, Paper, Progress, Select, Skeleton, Stack, Text, VisuallyHidden } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { analytics, numberOf, type AnalyticsFilters } from '../api/analytics';
import { modelPath } from '../api/models';
import type { AnalyticsQuery } from '../api/records';
import { useSeesOwnOnly } from '../api/session';
import { Loaded } from '../components/loaded';
import { PageLink } from '../components/page-link';
import { usd } from '../format/amounts';
import type { TimeRange } from '../format/ranges';
import { KeyLink, PersonLink, WorkspaceLink } from '../names/name-links';
import { plural, t } from '../text/translate';

const TOP = 8;
const ROW_PX = 29;
const GAP_PX = 10;
/** The number of rows to reserve while a list is loading: a compromise between short and long lists. */
const RESERVED = 4;
const LIST_PX = RESERVED * ROW_PX + (RESERVED - 1) * GAP_PX;
const LABELS = {
  model: t('Top models'),
  api_key_id: t('Top keys'),
  user: t('Top members'),
  workspace: t('Top workspaces'),
  external_user: t('Top end users'),
  provider: t('Top providers'),
} as const;
type Dimension = keyof typeof LABELS;
const isDimension = (value: string | null): value is Dimension => value !== null && value in LABELS;

/** Rankings that contain only the session's own calls, if the session may not read other keys. */
const OF_CALLERS: readonly Dimension[] = ['api_key_id', 'user', 'external_user'];

interface TopListProps {
  readonly first: Dimension;
  /** The calls that are counted. */
  readonly filters: AnalyticsFilters;
  readonly time: TimeRange;
}

/** Ranks the values of a dimension by spend. The reader can change the dimension. */
export function TopList({ first, filters, time }: TopListProps): ReactNode {
  const [dimension, choose] = useState<Dimension>(first);
  const isOwn = useSeesOwnOnly() && OF_CALLERS.includes(dimension);
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
          aria-label={first === 'model' ? t('First ranking') : t('Second ranking')}
          size="xs"
          w={170}
          data={Object.entries(LABELS).map(([value, label]) => ({ value, label }))}
          value={dimension}
          onChange={(value) => isDimension(value) && choose(value)}
          allowDeselect={false}
        />
        <PageLink to="/usage" search={{ by: [dimension] }} size="sm">
          {t('All in Usage')}
        </PageLink>
      </Group>
      <Loaded query={query} placeholder={<Waiting />}>
        {({ rows }) => (
          <Box mih={LIST_PX}>
            <Bars
              isOwn={isOwn}
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
          </Box>
        )}
      </Loaded>
    </Paper>
  );
}

function Waiting(): ReactNode {
  return (
    <Stack gap="xs" mih={LIST_PX} role="status" aria-label={t('Loading')}>
      {Array.from({ length: RESERVED }, (_, at) => (
        <Skeleton key={at} h={ROW_PX} />
      ))}
    </Stack>
  );
}

interface NameProps {
  readonly dimension: Dimension;
  readonly value: string | number | null;
}

/** The name of a group, as a link if it has a page. */
function Name({ dimension, value }: NameProps): ReactNode {
  const text = String(value);
  if (value === null) return t('none');
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
  /** The spend on own credentials. */
  readonly own: number;
  readonly calls: number;
}

/** Bars by spend, or by calls if nothing was spent. */
function Bars({ rows, isOwn }: { readonly rows: readonly Bar[]; readonly isOwn: boolean }): ReactNode {
  if (rows.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {isOwn ? t('No calls of your keys in this time.') : t('No calls in this time.')}
      </Text>
    );
  const isFree = rows.every(({ spend }) => spend === 0);
  const sizeOf = (row: Bar): number => (isFree ? row.calls : row.spend);
  const largest = Math.max(...rows.map(sizeOf), Number.MIN_VALUE);
  return (
    <Stack gap="xs">
      {rows.map((row) => (
        <div key={row.key}>
          <Group justify="space-between" wrap="nowrap" gap="xs">
            <Text size="sm" truncate miw="4rem" flex={1}>
              {row.name}
            </Text>
            <Text size="sm" className="figures" style={{ whiteSpace: 'nowrap' }}>
              {usd(row.spend)} · {plural(row.calls, '{count} call', '{count} calls')}
            </Text>
          </Group>
          {row.own > 0 && (
            <Text size="xs" c="dimmed" ta="right" className="figures">
              {t('{own} on own credentials', { own: usd(row.own) })}
            </Text>
          )}
          <Progress value={(sizeOf(row) / largest) * 100} size="sm" aria-hidden />
        </div>
      ))}
    </Stack>
  );
}
