import { Button, Group, MultiSelect, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { api, body } from '../../api/client';
import { membersChanged } from '../../api/members';
import { QUERY_KEYS } from '../../api/query-keys';
import type { WorkspaceMember, WorkspaceRecord } from '../../api/records';
import { Dialog } from '../../components/dialog';
import { ConfirmButton } from '../../components/confirm-button';
import { ActionButton } from '../../components/row-menu';
import { CursorTable } from '../../table/cursor-table';
import type { Column } from '../../table/data-table';
import { useCursorList, type CursorPage } from '../../table/use-cursor-list';
import { FaultAlert } from '../../components/fault-alert';
import { useNameSearch } from '../../names/use-name-search';
import { useNames } from '../../names/use-names';
import { t } from '../../text/translate';

const PAGE = 100;

interface WorkspaceProps {
  readonly workspace: WorkspaceRecord;
}

/** An action that opens the members of a workspace. */
export function WorkspaceMembers({ workspace }: WorkspaceProps): ReactNode {
  const [isOpen, { open, close }] = useDisclosure();
  const { name } = workspace;
  return (
    <>
      <ActionButton label={t('Members')} aria-label={t('Members of {name}', { name })} onClick={open} />
      <Dialog opened={isOpen} onClose={close} title={t('Members of {name}', { name })} size="lg">
        <MemberList workspace={workspace} />
      </Dialog>
    </>
  );
}

/** The cursor is the number of members before the page. */
async function memberPage(id: string, cursor = '0'): Promise<CursorPage<WorkspaceMember>> {
  const offset = Number(cursor);
  const params = { path: { id }, query: { offset, limit: PAGE } };
  const { data, total_count: total } = await body(api.GET('/api/v1/workspaces/{id}/members', { params }));
  const end = offset + data.length;
  return { data, next_cursor: data.length > 0 && end < total ? String(end) : null };
}

/** The members of a workspace, who can be added and removed. */
export function MemberList({ workspace: { id } }: WorkspaceProps): ReactNode {
  const names = useNames();
  const list = useCursorList(QUERY_KEYS.workspaceMembers(id), (cursor) => memberPage(id, cursor));
  return (
    <Stack>
      <CursorTable
        label={t('Members of the workspace')}
        list={list}
        columns={columnsWith(id, names.person)}
        rowKey={({ user_id }) => user_id}
        empty={t('No members yet.')}
      />
      <AddMembers workspaceId={id} present={new Set(list.rows.map(({ user_id }) => user_id))} />
    </Stack>
  );
}

const columnsWith = (id: string, nameOf: (userId: string) => string): Column<WorkspaceMember>[] => [
  { header: t('Name'), cell: ({ user_id }) => nameOf(user_id) },
  { header: t('Role'), cell: ({ role }) => role },
  {
    header: t('Actions'),
    cell: ({ user_id, role }) => {
      const next = role === 'admin' ? 'member' : 'admin';
      return (
        <Group gap="xs" wrap="nowrap">
          <ConfirmButton
            label={next === 'admin' ? t('Make admin') : t('Make member')}
            subject={nameOf(user_id)}
            onConfirm={async () => {
              const at = { path: { id, user_id } };
              await api.PATCH('/api/v1/workspaces/{id}/members/{user_id}', { params: at, body: { role: next } });
              await membersChanged();
            }}
          />
          <ConfirmButton
            label={t('Remove')}
            isRemoval
            subject={nameOf(user_id)}
            question={t('A member who still has keys in the workspace is not removed from it.')}
            onConfirm={async () => {
              const request = { params: { path: { id } }, body: { user_ids: [user_id] } };
              await api.POST('/api/v1/workspaces/{id}/members/remove', request);
              await membersChanged();
            }}
          />
        </Group>
      );
    },
  },
];

interface AddMembersProps {
  readonly workspaceId: string;
  readonly present: ReadonlySet<string>;
}

/** Adds members of the account. The API searches them by a part of the name. */
function AddMembers({ workspaceId, present }: AddMembersProps): ReactNode {
  const [chosen, setChosen] = useState<string[]>([]);
  const [isOpen, setOpen] = useState(false);
  const [text, setText] = useState('');
  const { found, isSearching } = useNameSearch(text.trim(), isOpen);
  const names = useNames();
  const others = (found?.users ?? []).map(({ id }) => id).filter((id) => !present.has(id));
  const adding = useMutation({
    mutationFn: async () => {
      const request = { params: { path: { id: workspaceId } }, body: { user_ids: chosen } };
      await api.POST('/api/v1/workspaces/{id}/members/add', request);
      setChosen([]);
      await membersChanged();
    },
  });
  return (
    <>
      <MultiSelect
        label={t('Add members')}
        data={[...new Set([...chosen, ...others])].map((value) => ({ value, label: names.person(value) }))}
        onDropdownOpen={() => setOpen(true)}
        searchValue={text}
        onSearchChange={setText}
        // The API has already filtered the options.
        filter={({ options }) => options}
        nothingFoundMessage={isSearching ? t('Searching…') : t('No other member has this name')}
        value={chosen}
        onChange={setChosen}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': t('Clear the members') }}
      />
      {adding.error && <FaultAlert error={adding.error} />}
      <Button w="fit-content" disabled={chosen.length === 0} loading={adding.isPending} onClick={() => adding.mutate()}>
        {t('Add')}
      </Button>
    </>
  );
}
