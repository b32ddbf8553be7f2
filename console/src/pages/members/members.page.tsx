import { Badge, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { type ReactNode } from 'react';
import { analytics, numberOf } from '../../api/analytics';
import { useMembers } from '../../api/members';
import type { Member } from '../../api/records';
import { useMay } from '../../api/session';
import { Ago } from '../../components/ago';
import { DataTable, type Column } from '../../table/data-table';
import { Loaded } from '../../components/loaded';
import { PageHeader } from '../../components/page-header';
import { ABSENT, usd } from '../../format/amounts';
import { useScope } from '../../scope/use-scope';
import { Invitations } from './invitations';
import { InviteMember } from './invite-member';
import { MemberActions } from './member-actions';

const COLUMNS: readonly Column<Member>[] = [
  { header: 'Name', cell: ({ name }) => name },
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

/** What each member spent in the time of the header, by id. */
function useSpends(isAllowed: boolean): ReadonlyMap<string, number> {
  const { time: time_range } = useScope();
  const query = analytics({ metrics: ['credits_usage'], dimensions: ['user'], time_range });
  const { data } = useQuery({ ...query, enabled: isAllowed });
  return new Map((data?.rows ?? []).map((row) => [String(row.user), numberOf(row, 'credits_usage')]));
}

/** The people of the account. */
export function MembersPage(): ReactNode {
  const members = useMembers();
  const canWrite = useMay('members.write');
  const spends = useSpends(canWrite);
  const spent: Column<Member> = {
    header: 'Spent',
    cell: ({ user_id }) => usd(spends.get(user_id) ?? 0),
    isNumeric: true,
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
