import { Group, Stack, Text } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { QUERY_KEYS } from '../../api/query-keys';
import { api, body } from '../../api/client';
import { useMay } from '../../api/session';
import { CursorTable } from '../../table/cursor-table';
import { PageHeader } from '../../components/page-header';
import { useCursorList } from '../../table/use-cursor-list';
import { useNames } from '../../names/use-names';
import { useScope } from '../../scope/use-scope';
import { useCallColumns } from './call-columns';
import { CallExport } from './call-export';
import { CallFilterBar } from './call-filter-bar';
import { callFilters, listQuery, sumFilters, type CallFilters } from './call-filters';
import { CallHistogram } from './call-histogram';
import { FindCall } from './find-call';
import { t } from '../../text/translate';

const PAGE = 100;

/** The calls of the account, or of the key of the session, newest first. */
export function CallsPage(): ReactNode {
  const search = useSearch({ from: '/calls' });
  const navigate = useNavigate({ from: '/calls' });
  const { workspace, time } = useScope();
  const readsSums = useMay('usage.sums');
  const query = useMemo(() => listQuery(search, workspace, time), [search, workspace, time]);
  const sums = useMemo(() => sumFilters(search, workspace), [search, workspace]);
  const { columns, menu } = useCallColumns(useNames());
  const calls = useCursorList(QUERY_KEYS.calls(query), (cursor) =>
    body(api.GET('/api/v1/generations', { params: { query: { ...query, cursor, limit: PAGE } } })),
  );
  const change = (part: CallFilters): void => void navigate({ search: (now) => ({ ...now, ...part }), replace: true });
  const hasFilters = Object.keys(callFilters(search)).length > 0;
  return (
    <Stack gap="sm">
      <PageHeader title={t('Calls')} about={t('Each call with its attempts, tokens and price, newest first.')}>
        <FindCall />
      </PageHeader>
      <Group justify="space-between" align="flex-start" gap="xs">
        <CallFilterBar filters={search} onChange={change} />
        <Group gap="xs">
          {menu}
          <CallExport query={query} />
        </Group>
      </Group>
      {readsSums && sums && <CallHistogram filters={sums} />}
      {readsSums && !sums && (
        <Text size="sm" c="dimmed">
          {t('Calls of one session are not counted over time.')}
        </Text>
      )}
      <CursorTable
        label={t('Calls')}
        list={calls}
        columns={columns}
        rowKey={({ id }) => id}
        empty={
          hasFilters
            ? t('No calls match. Choose another time above, or remove a filter.')
            : t('No calls in this time. Choose another time above, or make a call in the playground.')
        }
      />
    </Stack>
  );
}
