import { Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { QUERY_KEYS } from '../../api/query-keys';
import { api, body } from '../../api/client';
import type { Member } from '../../api/records';
import { Ago } from '../../components/ago';
import { DataTable, type Column } from '../../components/data-table';
import { Loaded } from '../../components/loaded';
import { PageHeader } from '../../components/page-header';
import { ABSENT } from '../../format/amounts';

const PAGE = 100;

const COLUMNS: readonly Column<Member>[] = [
  { header: 'Name', cell: ({ name }) => name },
  { header: 'Email', cell: ({ email }) => email ?? ABSENT },
  { header: 'Role', cell: ({ role }) => role ?? ABSENT },
  { header: 'Interns', cell: ({ in_interns_programme }) => (in_interns_programme ? 'yes' : 'no') },
  { header: 'Member since', cell: ({ created_at }) => (created_at === null ? ABSENT : <Ago iso={created_at} />) },
  { header: 'Id', cell: ({ user_id }) => <code>{user_id}</code> },
];

/** All members, page by page. */
async function allMembers(): Promise<Member[]> {
  const members: Member[] = [];
  for (;;) {
    const query = { offset: members.length, limit: PAGE };
    const { data } = await body(api.GET('/api/v1/members', { params: { query } }));
    members.push(...data);
    if (data.length < PAGE) return members;
  }
}

/** The people of the account. */
export function MembersPage(): ReactNode {
  const members = useQuery({ queryKey: QUERY_KEYS.members, queryFn: allMembers });
  return (
    <Stack>
      <PageHeader title="Members" about="People who make keys and sign in to this console." />
      <Loaded query={members}>
        {(rows) => (
          <DataTable
            label="Members"
            columns={COLUMNS}
            rows={rows}
            rowKey={({ user_id }) => user_id}
            empty="There is no member."
          />
        )}
      </Loaded>
    </Stack>
  );
}
