import { Badge, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useMembers } from '../../api/members';
import type { Member } from '../../api/records';
import { useMay } from '../../api/session';
import { Ago } from '../../components/ago';
import { DataTable, type Column } from '../../table/data-table';
import { Loaded } from '../../components/loaded';
import { PageHeader } from '../../components/page-header';
import { RowMenu } from '../../components/row-menu';
import { PageLink } from '../../components/page-link';
import { ABSENT, usd } from '../../format/amounts';
import { useSpends } from '../../spend/use-spends';
import { Invitations } from './invitations';
import { InviteMember } from './invite-member';
import { MemberActions, useMayChange } from './member-actions';
import { t } from '../../text/translate';

const COLUMNS: readonly Column<Member>[] = [
  {
    header: t('Name'),
    cell: ({ user_id: id, name }) => (
      <PageLink to="/members/$id" params={{ id }}>
        {name}
      </PageLink>
    ),
    sortBy: ({ name }) => name,
  },
  { header: t('Email'), cell: ({ email }) => email ?? ABSENT },
  {
    header: t('Role'),
    cell: ({ role, deactivated_at }) =>
      deactivated_at === null ? (
        (role ?? ABSENT)
      ) : (
        <Badge variant="default" color="gray">
          {t('{role}, deactivated', { role })}
        </Badge>
      ),
  },
];

const SINCE: Column<Member> = {
  header: t('Member since'),
  cell: ({ created_at }) => (created_at ? <Ago iso={created_at} /> : ABSENT),
};

/** Lists the members of the account. */
export function MembersPage(): ReactNode {
  const members = useMembers();
  const canWrite = useMay('members.write');
  const { of: spendOf } = useSpends('user', canWrite);
  const spent: Column<Member> = {
    header: t('Spent'),
    cell: ({ user_id }) => usd(spendOf(user_id).spend),
    isNumeric: true,
    sortBy: ({ user_id }) => spendOf(user_id).spend,
  };
  const mayChange = useMayChange();
  const actions: Column<Member> = {
    header: t('Actions'),
    cell: (member) =>
      mayChange(member) && (
        <RowMenu name={member.name}>
          <MemberActions member={member} />
        </RowMenu>
      ),
  };
  const columnsOf = (rows: readonly Member[]): readonly Column<Member>[] => {
    if (canWrite) return [...COLUMNS, spent, SINCE, actions];
    // Some roles can read only the names of other members.
    const isNamesOnly = rows.filter(({ email, role }) => email ?? role).length <= 1;
    return isNamesOnly ? COLUMNS.slice(0, 1) : [...COLUMNS, SINCE];
  };
  return (
    <Stack>
      <PageHeader
        title={t('Members')}
        about={t('People who create keys and sign in to this console, and what they may do.')}
      >
        {canWrite && <InviteMember />}
      </PageHeader>
      <Loaded query={members}>
        {(rows) => (
          <DataTable
            label={t('Members')}
            columns={columnsOf(rows)}
            rows={rows}
            rowKey={({ user_id }) => user_id}
            empty={t('No members.')}
          />
        )}
      </Loaded>
      {canWrite && !members.isPending && <Invitations />}
    </Stack>
  );
}
