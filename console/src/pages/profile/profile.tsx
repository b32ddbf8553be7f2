import { Badge, Group } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { body, sessionApi } from '../../api/client';
import { keyPage } from '../../api/keys';
import { QUERY_KEYS } from '../../api/query-keys';
import { queries } from '../../api/queries';
import type { ConsoleSessionEntry, KeySummary } from '../../api/records';
import { useMay, useSignedIn } from '../../api/session';
import { Ago } from '../../components/ago';
import { ConfirmButton } from '../../components/confirm-button';
import { CursorTable } from '../../table/cursor-table';
import { DataTable, type Column } from '../../table/data-table';
import { useCursorList } from '../../table/use-cursor-list';
import { Facts } from '../../components/facts';
import { Loaded } from '../../components/loaded';
import { SectionHeader } from '../../components/page-header';
import { PageLink } from '../../components/page-link';
import { ABSENT, usd } from '../../format/amounts';
import { Identities } from './identities';
import { t } from '../../text/translate';
import { Placeholder } from '../../components/placeholder';

/** The role and the identities of the signed-in person. */
export function Profile(): ReactNode {
  const { user, role, expires_at } = useSignedIn();
  return (
    <>
      <Facts
        title={t('You')}
        rows={[
          [t('Name'), user?.name ?? ABSENT],
          [t('Email'), user?.email ?? ABSENT],
          [t('Role'), role ?? ABSENT],
          [t('This session ends'), <Ago key="end" iso={expires_at} />],
        ]}
      />
      {user && <Identities />}
    </>
  );
}

const OPENINGS: Readonly<Record<ConsoleSessionEntry['kind'], string>> = {
  code: t('a link'),
  key: t('an API key'),
  oidc: t('an identity provider'),
};

const sessionsChanged = (): Promise<void> => queries.invalidateQueries({ queryKey: QUERY_KEYS.sessions });

const SESSION_COLUMNS: readonly Column<ConsoleSessionEntry>[] = [
  { header: t('Signed in'), cell: ({ created_at }) => <Ago iso={created_at} /> },
  { header: t('With'), cell: ({ kind }) => OPENINGS[kind] },
  { header: t('Ends'), cell: ({ expires_at }) => <Ago iso={expires_at} /> },
  {
    header: t('Actions'),
    cell: ({ id, is_current }) =>
      is_current ? (
        <Badge variant="outline">{t('This browser')}</Badge>
      ) : (
        <ConfirmButton
          label={t('End')}
          subject={t('this session')}
          onConfirm={async () => {
            await sessionApi.DELETE('/console/sessions/{id}', { params: { path: { id } } });
            await sessionsChanged();
          }}
        />
      ),
  },
];

/** The height of a table with one session. */
const SESSIONS_PX = 84;

/** The sessions of the signed-in person. */
export function Sessions(): ReactNode {
  const { user } = useSignedIn();
  return user && <SessionList />;
}

function SessionList(): ReactNode {
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
    <section aria-label={t('Sessions')}>
      <SectionHeader title={t('Sessions')} about={t('Browsers that are signed in as you.')}>
        {hasOthers && (
          <ConfirmButton
            label={t('Sign out everywhere else')}
            subject=""
            question={t('All sessions but this one end at once.')}
            onConfirm={endOthers}
          />
        )}
      </SectionHeader>
      <Loaded query={sessions} placeholder={<Placeholder h={SESSIONS_PX} />}>
        {(rows) => (
          <DataTable
            label={t('Sessions')}
            columns={SESSION_COLUMNS}
            rows={rows}
            rowKey={({ id }) => id}
            empty={t('No sessions.')}
          />
        )}
      </Loaded>
    </section>
  );
}

const KEY_COLUMNS: readonly Column<KeySummary>[] = [
  {
    header: t('Name'),
    cell: ({ hash, name }) => (
      <PageLink to="/keys/$hash" params={{ hash }}>
        {name}
      </PageLink>
    ),
  },
  { header: t('Spent'), cell: ({ usage }) => usd(usage), isNumeric: true },
  { header: t('This month'), cell: ({ usage_monthly }) => usd(usage_monthly), isNumeric: true },
  { header: t('Last used'), cell: ({ last_used_at }) => (last_used_at ? <Ago iso={last_used_at} /> : t('never')) },
];

/** The keys of the signed-in person. Renders nothing without the permission to read keys. */
export function OwnKeys(): ReactNode {
  const { user } = useSignedIn();
  const readsKeys = useMay('keys.read');
  return user && readsKeys && <KeysOf userId={user.id} />;
}

function KeysOf({ userId }: { readonly userId: string }): ReactNode {
  const filters = { creator_user_id: userId };
  const keys = useCursorList(QUERY_KEYS.keyList(filters), (cursor) => keyPage(filters, cursor));
  return (
    <section aria-label={t('Own keys')}>
      <SectionHeader title={t('Own keys')}>
        <Group>
          <PageLink to="/keys">{t('All keys')}</PageLink>
        </Group>
      </SectionHeader>
      <CursorTable
        label={t('Own keys')}
        list={keys}
        columns={KEY_COLUMNS}
        rowKey={({ hash }) => hash}
        empty={t('You have no key yet. Create one on the page Keys.')}
      />
    </section>
  );
}
