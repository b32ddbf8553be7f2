import { Stack } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { keyPage, type KeyFilters as Filters, type KeySort } from '../../api/keys';
import { QUERY_KEYS } from '../../api/query-keys';
import { useMay } from '../../api/session';
import { useWorkspaces } from '../../api/workspaces';
import { CursorTable } from '../../table/cursor-table';
import { PageHeader } from '../../components/page-header';
import { useCursorList } from '../../table/use-cursor-list';
import { useScope } from '../../scope/use-scope';
import { CreateKey } from './create-key';
import { keyColumns } from './key-columns';
import { KeyFilters } from './key-filters';
import type { KeySearch } from './key-search';
import { t } from '../../text/translate';

/** The keys of all workspaces, or of the chosen one. */
export function KeysPage(): ReactNode {
  const search = useSearch({ from: '/keys' });
  const navigate = useNavigate({ from: '/keys' });
  const { workspace } = useScope();
  const canWrite = useMay('keys.write');
  const workspaces = useWorkspaces();
  const { q, owner, state, sort = 'created_at', direction = 'desc' } = search;
  const filters: Filters = { q, creator_user_id: owner, state, sort, direction, workspace_id: workspace };
  const list = useCursorList(QUERY_KEYS.keyList(filters), (cursor) => keyPage(filters, cursor));
  const change = (part: KeySearch): void => void navigate({ search: (now) => ({ ...now, ...part }), replace: true });
  const isNarrowed = q !== undefined || owner !== undefined || state !== undefined || workspace !== undefined;
  const hasWorkspaces = workspace === undefined && (workspaces.data?.length ?? 0) > 1;
  return (
    <Stack>
      <PageHeader
        title={t('Keys')}
        about={t('The page of a key shows what it spent, by model. A secret is shown once, when it is made.')}
      >
        {canWrite && <CreateKey />}
      </PageHeader>
      <KeyFilters search={search} onChange={change} />
      <CursorTable
        label={t('Keys')}
        list={list}
        columns={keyColumns({ canWrite, hasWorkspaces })}
        rowKey={({ hash }) => hash}
        sort={{ by: sort, direction, onChange: (by, next) => change({ sort: by as KeySort, direction: next }) }}
        empty={isNarrowed ? t('No key matches.') : t('No keys yet. Create one to call the API.')}
      />
    </Stack>
  );
}
