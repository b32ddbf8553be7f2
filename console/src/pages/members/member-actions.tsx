import { Group, MultiSelect, Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { api } from '../../api/client';
import { membersChanged, ROLE_MEANINGS, rolesToGive, type Role } from '../../api/members';
import type { Member } from '../../api/records';
import { useSignedIn } from '../../api/session';
import { useWorkspaces } from '../../api/workspaces';
import { ConfirmButton } from '../../components/confirm-button';
import { FormModal } from '../../components/form-modal';

interface MemberProps {
  readonly member: Member;
}

const STOPS = "The member is signed out, and the member's keys and interns stop.";

/** What an owner or an admin does with a member. Nobody changes their own role here. */
export function MemberActions({ member }: MemberProps): ReactNode {
  const { user, role } = useSignedIn();
  if (member.user_id === user?.id || (member.role === 'owner' && role === 'admin')) return null;
  const { name, user_id } = member;
  const at = { params: { path: { user_id } } };
  return (
    <Group gap="xs">
      <ChangeRole member={member} />
      <AddToWorkspaces member={member} />
      {member.deactivated_at === null && (
        <ConfirmButton
          label="Deactivate"
          subject={name}
          question={`${STOPS} Keys are not enabled again by themselves.`}
          onConfirm={async () => {
            await api.POST('/api/v1/members/{user_id}/deactivate', at);
            await membersChanged();
          }}
        />
      )}
      <ConfirmButton
        label="Remove"
        subject={name}
        question={`${STOPS} Records of calls stay.`}
        onConfirm={async () => {
          await api.DELETE('/api/v1/members/{user_id}', at);
          await membersChanged();
        }}
      />
    </Group>
  );
}

interface RoleFieldProps {
  readonly value: Role;
  readonly onChange: (role: Role) => void;
}

/** The roles that the signed-in member may give. */
export function RoleField({ value, onChange }: RoleFieldProps): ReactNode {
  const { role: own } = useSignedIn();
  return (
    <Select
      label="Role"
      description={ROLE_MEANINGS[value]}
      data={[...rolesToGive(own)]}
      value={value}
      onChange={(role) => role && onChange(role)}
      allowDeselect={false}
    />
  );
}

function ChangeRole({ member: { user_id, name, role } }: MemberProps): ReactNode {
  const save = async (values: { role: Role }): Promise<void> => {
    await api.PATCH('/api/v1/members/{user_id}', { params: { path: { user_id } }, body: values });
    await membersChanged();
  };
  return (
    <FormModal
      label="Role"
      aria-label={`Role of ${name}`}
      title={`Role of ${name}`}
      action="Save"
      size="compact-sm"
      variant="default"
      initial={{ role: role ?? 'developer' }}
      onSubmit={save}
    >
      {(values, change) => <RoleField value={values.role} onChange={(chosen) => change({ role: chosen })} />}
    </FormModal>
  );
}

interface WorkspacesFieldProps {
  readonly value: string[];
  readonly onChange: (workspaces: string[]) => void;
}

/** Workspaces beside the default one, to which everybody belongs. */
export function WorkspacesField({ value, onChange }: WorkspacesFieldProps): ReactNode {
  const workspaces = useWorkspaces();
  // The default one is the oldest, and comes first.
  const others = (workspaces.data ?? []).slice(1);
  return (
    <MultiSelect
      label="Workspaces"
      description="Beside the default one, to which everybody belongs"
      data={others.map(({ id, name }) => ({ value: id, label: name }))}
      value={value}
      onChange={onChange}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': 'Clear the workspaces' }}
    />
  );
}

function AddToWorkspaces({ member: { user_id, name } }: MemberProps): ReactNode {
  const add = async ({ workspaces }: { workspaces: string[] }): Promise<void> => {
    for (const id of workspaces)
      await api.POST('/api/v1/workspaces/{id}/members/add', {
        params: { path: { id } },
        body: { user_ids: [user_id] },
      });
    await membersChanged();
  };
  return (
    <FormModal
      label="Workspaces"
      aria-label={`Add ${name} to workspaces`}
      title={`Add ${name} to workspaces`}
      action="Add"
      size="compact-sm"
      variant="default"
      initial={{ workspaces: [] as string[] }}
      onSubmit={add}
    >
      {(values, change) => (
        <WorkspacesField value={values.workspaces} onChange={(workspaces) => change({ workspaces })} />
      )}
    </FormModal>
  );
}
