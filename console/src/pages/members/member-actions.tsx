import { MultiSelect, Select } from '@mantine/core';
import type { ReactNode } from 'react';
import { api } from '../../api/client';
import { membersChanged, ROLE_MEANINGS, rolesToGive, type Role } from '../../api/members';
import type { Member } from '../../api/records';
import { useSignedIn } from '../../api/session';
import { useWorkspaces } from '../../api/workspaces';
import { ConfirmButton } from '../../components/confirm-button';
import { FormModal } from '../../components/form-modal';
import { t } from '../../text/translate';

interface MemberProps {
  readonly member: Member;
}

/** Whether the session may change a member. Members cannot change their own role here. */
export function useMayChange(): (member: Member) => boolean {
  const { user, role } = useSignedIn();
  return (member) => member.user_id !== user?.id && !(member.role === 'owner' && role === 'admin');
}

const STOPS = t("The member is signed out, and the member's keys and interns stop.");

/** The actions of owners and admins on a member. */
export function MemberActions({ member }: MemberProps): ReactNode {
  if (!useMayChange()(member)) return null;
  const { name, user_id } = member;
  const at = { params: { path: { user_id } } };
  return (
    <>
      <ChangeRole member={member} />
      <AddToWorkspaces member={member} />
      {member.deactivated_at === null && (
        <ConfirmButton
          label={t('Deactivate')}
          subject={name}
          question={t('{stops} Keys are not enabled again by themselves.', { stops: STOPS })}
          onConfirm={async () => {
            await api.POST('/api/v1/members/{user_id}/deactivate', at);
            await membersChanged();
          }}
        />
      )}
      <ConfirmButton
        label={t('Remove')}
        subject={name}
        isRemoval
        question={t('{stops} Records of calls stay.', { stops: STOPS })}
        onConfirm={async () => {
          await api.DELETE('/api/v1/members/{user_id}', at);
          await membersChanged();
        }}
      />
    </>
  );
}

interface RoleFieldProps {
  readonly value: Role;
  readonly onChange: (role: Role) => void;
}

/** Selects one of the roles that the signed-in member may give. */
export function RoleField({ value, onChange }: RoleFieldProps): ReactNode {
  const { role: own } = useSignedIn();
  return (
    <Select
      label={t('Role')}
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
      label={t('Role')}
      aria-label={t('Role of {name}', { name })}
      title={t('Role of {name}', { name })}
      action={t('Save')}
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

/** Selects workspaces in addition to the default one, which every member belongs to. */
export function WorkspacesField({ value, onChange }: WorkspacesFieldProps): ReactNode {
  const workspaces = useWorkspaces();
  // The default workspace is the oldest, so it is first.
  const others = (workspaces.data ?? []).slice(1);
  return (
    <MultiSelect
      label={t('Workspaces')}
      description={t('Beside the default one, to which everybody belongs')}
      data={others.map(({ id, name }) => ({ value: id, label: name }))}
      value={value}
      onChange={onChange}
      searchable
      clearable
      clearButtonProps={{ 'aria-label': t('Clear the workspaces') }}
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
      label={t('Workspaces')}
      aria-label={t('Add {name} to workspaces', { name })}
      title={t('Add {name} to workspaces', { name })}
      action={t('Add')}
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
