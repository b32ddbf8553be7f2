import { Button, Group, Modal, MultiSelect, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { allPages } from '../../api/all-pages';
import { api, body } from '../../api/client';
import { membersChanged, useMembers } from '../../api/members';
import { QUERY_KEYS } from '../../api/query-keys';
import type { WorkspaceMember, WorkspaceRecord } from '../../api/records';
import { ConfirmButton } from '../../components/confirm-button';
import { DataTable, type Column } from '../../table/data-table';
import { FaultAlert } from '../../components/fault-alert';
import { Loaded } from '../../components/loaded';

const PAGE = 100;

interface WorkspaceProps {
  readonly workspace: WorkspaceRecord;
}

/** A button that opens the members of a workspace. */
export function WorkspaceMembers({ workspace }: WorkspaceProps): ReactNode {
  const [isOpen, { open, close }] = useDisclosure();
  const { name } = workspace;
  return (
    <>
      <Button size="compact-sm" variant="default" aria-label={`Members of ${name}`} onClick={open}>
        Members
      </Button>
      <Modal
        opened={isOpen}
        onClose={close}
        title={`Members of ${name}`}
        size="lg"
        closeButtonProps={{ 'aria-label': 'Close' }}
      >
        <MemberList workspace={workspace} />
      </Modal>
    </>
  );
}

/** The members of a workspace, who can be added and removed. */
export function MemberList({ workspace: { id } }: WorkspaceProps): ReactNode {
  const members = useMembers();
  const inWorkspace = useQuery({
    queryKey: QUERY_KEYS.workspaceMembers(id),
    queryFn: () =>
      allPages(PAGE, async (offset): Promise<WorkspaceMember[]> => {
        const params = { path: { id }, query: { offset, limit: PAGE } };
        return (await body(api.GET('/api/v1/workspaces/{id}/members', { params }))).data;
      }),
  });
  const names = new Map((members.data ?? []).map(({ user_id, name }) => [user_id, name]));
  const nameOf = (userId: string): string => names.get(userId) ?? userId.slice(0, 8);
  const others = [...names].filter(([userId]) => !inWorkspace.data?.some((each) => each.user_id === userId));
  return (
    <Stack>
      <Loaded query={inWorkspace}>
        {(rows) => (
          <DataTable
            label="Members of the workspace"
            columns={columnsWith(id, nameOf)}
            rows={rows}
            rowKey={({ user_id }) => user_id}
            empty="There is no member."
          />
        )}
      </Loaded>
      <AddMembers workspaceId={id} others={others} />
    </Stack>
  );
}

const columnsWith = (id: string, nameOf: (userId: string) => string): Column<WorkspaceMember>[] => [
  { header: 'Name', cell: ({ user_id }) => nameOf(user_id) },
  { header: 'Role', cell: ({ role }) => role },
  {
    header: 'Actions',
    cell: ({ user_id, role }) => {
      const next = role === 'admin' ? 'member' : 'admin';
      return (
        <Group gap="xs" wrap="nowrap">
          <ConfirmButton
            label={next === 'admin' ? 'Make admin' : 'Make member'}
            subject={nameOf(user_id)}
            onConfirm={async () => {
              const at = { path: { id, user_id } };
              await api.PATCH('/api/v1/workspaces/{id}/members/{user_id}', { params: at, body: { role: next } });
              await membersChanged();
            }}
          />
          <ConfirmButton
            label="Remove"
            subject={nameOf(user_id)}
            question="A member who still has keys in the workspace is not removed from it."
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
  readonly others: readonly (readonly [userId: string, name: string])[];
}

function AddMembers({ workspaceId, others }: AddMembersProps): ReactNode {
  const [chosen, setChosen] = useState<string[]>([]);
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
        label="Add members"
        data={others.map(([value, label]) => ({ value, label }))}
        value={chosen}
        onChange={setChosen}
        searchable
        clearable
        clearButtonProps={{ 'aria-label': 'Clear the members' }}
      />
      {adding.error && <FaultAlert error={adding.error} />}
      <Button w="fit-content" disabled={chosen.length === 0} loading={adding.isPending} onClick={() => adding.mutate()}>
        Add
      </Button>
    </>
  );
}
