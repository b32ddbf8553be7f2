import { Badge, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMembers } from '../../api/members';
import type { Member } from '../../api/records';
import { useMay } from '../../api/session';
import { Ago } from '../../components/ago';
import { DataTable, type Column } from '../../table/data-table';
import { Loaded } from '../../components/loaded';
import { PageHeader } from '../../components/page-header';
import { PageLink } from '../../components/page-link';
import { ABSENT, usd } from '../../format/amounts';
import { useSpends } from '../../spend/use-spends';
import { Invitations } from './invitations';
import { InviteMember } from './invite-member';
import { MemberActions } from './member-actions';

const COLUMNS: readonly Column<Member>[] = [
  {
    header: 'Name',
    cell: ({ user_id: id, name }) => (
      <PageLink to="/members/$id" params={{ id }}>
        {name}
      </PageLink>
    ),
    sortBy: ({ name }) => name,
  },
  { header: 'Email', cell: ({ email }) => email ?? ABSENT },
  {
    header: 'Role',
    cell: ({ role, deactivated_at }) =>
      deactivated_at === null ? (
        (role ?? ABSENT)
      ) : (
        <Badge variant="default" color="gray">{`${role}, deactivated`}</Badge>
      ),
  },
];

const SINCE: Column<Member> = {
  header: 'Member since',
  cell: ({ created_at }) => (created_at ? <Ago iso={created_at} /> : ABSENT),
};

/** The people of the account. */
export function MembersPage(): ReactNode {
  const members = useMembers();
  const canWrite = useMay('members.write');
  const spendOf = useSpends('user', canWrite);
  const spent: Column<Member> = {
    header: 'Spent',
    cell: ({ user_id }) => usd(spendOf(user_id).spend),
    isNumeric: true,
    sortBy: ({ user_id }) => spendOf(user_id).spend,
  };
  const actions: Column<Member> = { header: 'Actions', cell: (member) => <MemberActions member={member} /> };
  return (
    <Stack>
      <PageHeader title="Members" about="People who create keys and sign in to this console, and what they may do.">
        {canWrite && <InviteMember />}
      </PageHeader>
      <Loaded query={members}>
        {(rows) => (
          <DataTable
            label="Members"
            columns={canWrite ? [...COLUMNS, spent, SINCE, actions] : [...COLUMNS, SINCE]}
            rows={rows}
            rowKey={({ user_id }) => user_id}
            empty="There is no member."
          />
        )}
      </Loaded>
      {canWrite && <Invitations />}
    </Stack>
  );
}
