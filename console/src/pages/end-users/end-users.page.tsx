import { Badge, Stack, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { allPages } from '../../api/all-pages';
import { QUERY_KEYS } from '../../api/query-keys';
import { api, body } from '../../api/client';
import { queries } from '../../api/queries';
import type { EndUserRecord } from '../../api/records';
import { useMay } from '../../api/session';
import { Ago } from '../../components/ago';
import { ConfirmButton } from '../../components/confirm-button';
import { DataTable, type Column } from '../../table/data-table';
import { FormModal } from '../../components/form-modal';
import { Loaded } from '../../components/loaded';
import { PageHeader } from '../../components/page-header';
import { count, usd } from '../../format/amounts';
import { useSpends, type GroupSpend } from '../../spend/use-spends';

const PAGE = 100;

const changed = (): Promise<void> => queries.invalidateQueries({ queryKey: QUERY_KEYS.endUsers });

async function setActive(user: string, is_active: boolean): Promise<void> {
  await api.PATCH('/api/v1/end-users/{user}', { params: { path: { user } }, body: { is_active } });
  await changed();
}

const columnsWith = (spendOf: (user: string) => GroupSpend): Column<EndUserRecord>[] => [
  { header: 'User', cell: ({ user }) => user, sortBy: ({ user }) => user },
  {
    header: 'Spent',
    cell: ({ user }) => usd(spendOf(user).spend),
    sortBy: ({ user }) => spendOf(user).spend,
    isNumeric: true,
  },
  {
    header: 'Requests',
    cell: ({ user }) => count(spendOf(user).requests),
    sortBy: ({ user }) => spendOf(user).requests,
    isNumeric: true,
  },
  {
    header: 'State',
    cell: ({ is_active }) => (
      <Badge color={is_active ? 'green' : 'gray'} variant={is_active ? 'outline' : 'default'}>
        {is_active ? 'Active' : 'Inactive'}
      </Badge>
    ),
  },
  { header: 'Registered', cell: ({ created_at }) => <Ago iso={created_at} /> },
];

const ACTIONS: Column<EndUserRecord> = {
  header: 'Actions',
  cell: ({ user, is_active }) => (
    <ConfirmButton
      label={is_active ? 'Disable' : 'Enable'}
      subject={user}
      question={is_active ? 'Calls that name this user are refused.' : 'Calls may name this user again.'}
      onConfirm={() => setActive(user, !is_active)}
    />
  ),
};

async function endUsersFrom(offset: number): Promise<EndUserRecord[]> {
  const query = { limit: PAGE, offset, include_inactive: true };
  return (await body(api.GET('/api/v1/end-users', { params: { query } }))).data;
}

/** The account's own users, on whose behalf calls are made. */
export function EndUsersPage(): ReactNode {
  const canWrite = useMay('end-users.write');
  const users = useQuery({ queryKey: QUERY_KEYS.endUsers, queryFn: () => allPages(PAGE, endUsersFrom) });
  const register = async (values: { user: string }): Promise<void> => {
    await api.POST('/api/v1/end-users', { body: values });
    await changed();
  };
  const spendOf = useSpends('external_user', useMay('usage.sums'));
  const [text, setText] = useState('');
  const columns = columnsWith(spendOf);
  return (
    <Stack>
      <PageHeader title="End users" about="Your own users, whom calls name in the member “user”.">
        {canWrite && (
          <FormModal
            label="Create"
            aria-label="Create end user"
            title="Register an end user"
            action="Create"
            initial={{ user: '' }}
            onSubmit={register}
          >
            {({ user }, change) => (
              <TextInput
                label="User"
                required
                data-autofocus
                value={user}
                onChange={(event) => change({ user: event.currentTarget.value })}
              />
            )}
          </FormModal>
        )}
      </PageHeader>
      <TextInput
        aria-label="Filter the end users"
        placeholder="Filter"
        maw={280}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Loaded query={users}>
        {(rows) => (
          <DataTable
            label="End users"
            columns={canWrite ? [...columns, ACTIONS] : columns}
            rows={rows.filter(({ user }) => user.toLowerCase().includes(text.trim().toLowerCase()))}
            rowKey={({ user }) => user}
            empty={
              text
                ? 'No end user has this in its name.'
                : 'There is no end user yet. Calls may name users who are not registered; register one to disable it.'
            }
          />
        )}
      </Loaded>
    </Stack>
  );
}
