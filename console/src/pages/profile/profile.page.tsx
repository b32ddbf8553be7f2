import { Badge, Group, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { body, sessionApi } from '../../api/client';
import { useKeys } from '../../api/keys';
import { QUERY_KEYS } from '../../api/query-keys';
import { queries } from '../../api/queries';
import type { ConsoleSessionEntry, KeyRecord } from '../../api/records';
import { useMay, useSignedIn } from '../../api/session';
import { Ago } from '../../components/ago';
import { ConfirmButton } from '../../components/confirm-button';
import { DataTable, type Column } from '../../table/data-table';
import { Facts } from '../../components/facts';
import { Loaded } from '../../components/loaded';
import { PageHeader, SectionHeader } from '../../components/page-header';
import { PageLink } from '../../components/page-link';
import { ABSENT, usd } from '../../format/amounts';
import { Identities } from './identities';

/** Who is signed in: role, identities, sessions and own keys. */
export function ProfilePage(): ReactNode {
  const { user, role, expires_at } = useSignedIn();
  const readsKeys = useMay('keys.read');
  return (
    <Stack>
      <PageHeader title="Profile" about="Who you are here, where you are signed in, and what your keys spent." />
      <Facts
        title="You"
        rows={[
          ['Name', user?.name ?? ABSENT],
          ['Email', user?.email ?? ABSENT],
          ['Role', role ?? ABSENT],
          ['This session ends', <Ago key="end" iso={expires_at} />],
        ]}
      />
      {user && <Identities />}
      {user && <Sessions />}
      {user && readsKeys && <OwnKeys userId={user.id} />}
    </Stack>
  );
}

const OPENINGS: Readonly<Record<ConsoleSessionEntry['kind'], string>> = {
  code: 'a link',
  key: 'an API key',
  oidc: 'an identity provider',
};

const sessionsChanged = (): Promise<void> => queries.invalidateQueries({ queryKey: QUERY_KEYS.sessions });

const SESSION_COLUMNS: readonly Column<ConsoleSessionEntry>[] = [
  { header: 'Signed in', cell: ({ created_at }) => <Ago iso={created_at} /> },
  { header: 'With', cell: ({ kind }) => OPENINGS[kind] },
  { header: 'Ends', cell: ({ expires_at }) => <Ago iso={expires_at} /> },
  {
    header: 'Actions',
    cell: ({ id, is_current }) =>
      is_current ? (
        <Badge variant="outline">This browser</Badge>
      ) : (
        <ConfirmButton
          label="End"
          subject="this session"
          onConfirm={async () => {
            await sessionApi.DELETE('/console/sessions/{id}', { params: { path: { id } } });
            await sessionsChanged();
          }}
        />
      ),
  },
];

function Sessions(): ReactNode {
  const sessions = useQuery({
    queryKey: QUERY_KEYS.sessions,
    queryFn: async () => (await body(sessionApi.GET('/console/sessions'))).data,
  });
  const endOthers = async (): Promise<void> => {
    await sessionApi.DELETE('/console/sessions');
    await sessionsChanged();
  };
  const hasOthers = (sessions.data?.length ?? 0) > 1;
  return (
    <section aria-label="Sessions">
      <SectionHeader title="Sessions" about="Browsers that are signed in as you.">
        {hasOthers && (
          <ConfirmButton
            label="Sign out everywhere else"
            subject=""
            question="All sessions but this one end at once."
            onConfirm={endOthers}
          />
        )}
      </SectionHeader>
      <Loaded query={sessions}>
        {(rows) => (
          <DataTable
            label="Sessions"
            columns={SESSION_COLUMNS}
            rows={rows}
            rowKey={({ id }) => id}
            empty="There is no session."
          />
        )}
      </Loaded>
    </section>
  );
}

const KEY_COLUMNS: readonly Column<KeyRecord>[] = [
  {
    header: 'Name',
    cell: ({ hash, name }) => (
      <PageLink to="/keys/$hash" params={{ hash }}>
        {name}
      </PageLink>
    ),
  },
  { header: 'Spent', cell: ({ usage }) => usd(usage), isNumeric: true },
  { header: 'This month', cell: ({ usage_monthly }) => usd(usage_monthly), isNumeric: true },
  { header: 'Last used', cell: ({ last_used_at }) => (last_used_at ? <Ago iso={last_used_at} /> : 'never') },
];

function OwnKeys({ userId }: { readonly userId: string }): ReactNode {
  const keys = useKeys();
  return (
    <section aria-label="Own keys">
      <SectionHeader title="Own keys">
        <Group>
          <PageLink to="/keys">All keys</PageLink>
        </Group>
      </SectionHeader>
      <Loaded query={keys}>
        {(rows) => (
          <DataTable
            label="Own keys"
            columns={KEY_COLUMNS}
            rows={rows.filter(({ creator_user_id }) => creator_user_id === userId)}
            rowKey={({ hash }) => hash}
            empty="You have no key yet. Create one on the page Keys."
          />
        )}
      </Loaded>
    </section>
  );
}
