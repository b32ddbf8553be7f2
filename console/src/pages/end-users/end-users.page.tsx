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
import { Placeholder } from '../../components/placeholder';
import { PageHeader } from '../../components/page-header';
import { ABSENT, count, usd } from '../../format/amounts';
import { useSpends, type GroupSpend } from '../../spend/use-spends';
import { t } from '../../text/translate';

const PAGE = 100;

const changed = (): Promise<void> => queries.invalidateQueries({ queryKey: QUERY_KEYS.endUsers });

async function setActive(user: string, is_active: boolean): Promise<void> {
  await api.PATCH('/api/v1/end-users/{user}', { params: { path: { user } }, body: { is_active } });
  await changed();
}

const amount = (value: number, text: (value: number) => string): string => (value === 0 ? ABSENT : text(value));

const columnsWith = (spendOf: (user: string) => GroupSpend): Column<EndUserRecord>[] => [
  { header: t('User'), cell: ({ user }) => user, sortBy: ({ user }) => user },
  {
    header: t('Spent'),
    cell: ({ user }) => amount(spendOf(user).spend, usd),
    sortBy: ({ user }) => spendOf(user).spend,
    isFirstSort: true,
    isNumeric: true,
  },
  {
    header: t('Requests'),
    cell: ({ user }) => amount(spendOf(user).requests, count),
    sortBy: ({ user }) => spendOf(user).requests,
    isNumeric: true,
  },
  {
    header: t('State'),
    cell: ({ is_active }) => (
      <Badge color={is_active ? 'green' : 'gray'} variant={is_active ? 'outline' : 'default'}>
        {is_active ? t('Active') : t('Inactive')}
      </Badge>
    ),
  },
  { header: t('Registered'), cell: ({ created_at }) => <Ago iso={created_at} /> },
];

const ACTIONS: Column<EndUserRecord> = {
  header: t('Actions'),
  cell: ({ user, is_active }) => (
    <ConfirmButton
      label={is_active ? t('Disable') : t('Enable')}
      subject={user}
      variant="subtle"
      question={is_active ? t('Calls that name this user are refused.') : t('Calls may name this user again.')}
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
  const spends = useSpends('external_user', useMay('usage.sums'));
  const [text, setText] = useState('');
  const columns = columnsWith(spends.of);
  return (
    <Stack>
      <PageHeader title={t('End users')} about={t('Your own users, whom calls name in the member “user”.')}>
        {canWrite && (
          <FormModal
            label={t('Create')}
            aria-label={t('Create end user')}
            title={t('Register an end user')}
            action={t('Create')}
            initial={{ user: '' }}
            onSubmit={register}
          >
            {({ user }, change) => (
              <TextInput
                label={t('User')}
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
        aria-label={t('Filter the end users')}
        placeholder={t('Filter')}
        maw={280}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <Loaded query={users} placeholder={<Placeholder h="60vh" />}>
        {(rows) =>
          // The order of the rows depends on their spend.
          spends.isPending ? (
            <Placeholder h="60vh" />
          ) : (
            <DataTable
              label={t('End users')}
              columns={canWrite ? [...columns, ACTIONS] : columns}
              rows={rows.filter(({ user }) => user.toLowerCase().includes(text.trim().toLowerCase()))}
              rowKey={({ user }) => user}
              empty={
                text
                  ? t('No end user has this in its name.')
                  : t('No end users yet. Calls may name users who are not registered; register one to disable it.')
              }
            />
          )
        }
      </Loaded>
    </Stack>
  );
}
