import { Button, Group, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { body, sessionApi } from '../../api/client';
import { useWaysToSignIn } from '../../api/identity-providers';
import { QUERY_KEYS } from '../../api/query-keys';
import { queries } from '../../api/queries';
import type { Identity } from '../../api/records';
import { Ago } from '../../components/ago';
import { ConfirmButton } from '../../components/confirm-button';
import { DataTable, type Column } from '../../table/data-table';
import { FaultAlert } from '../../components/fault-alert';
import { Loaded } from '../../components/loaded';
import { SectionHeader } from '../../components/page-header';
import { ABSENT } from '../../format/amounts';
import { t } from '../../text/translate';
import { Placeholder } from '../../components/placeholder';

const COLUMNS: readonly Column<Identity>[] = [
  { header: t('Provider'), cell: ({ label, provider }) => label ?? provider },
  { header: t('Name'), cell: ({ name }) => name ?? ABSENT },
  { header: t('Email'), cell: ({ email }) => email ?? ABSENT },
  { header: t('Last sign-in'), cell: ({ used_at }) => <Ago iso={used_at} /> },
  {
    header: t('Actions'),
    cell: ({ id, label, provider }) => (
      <ConfirmButton
        label={t('Remove')}
        isRemoval
        subject={label ?? provider}
        question={t('It signs you in no more, and the sessions that it opened end, except for this one.')}
        onConfirm={async () => {
          await sessionApi.DELETE('/console/session/identities/{id}', { params: { path: { id } } });
          await queries.invalidateQueries({ queryKey: QUERY_KEYS.identities });
        }}
      />
    ),
  },
];

/** Opens the provider's page. The provider sends the browser back to this page with the identity linked. */
async function link(provider: string): Promise<void> {
  const request = { body: { provider, return_to: window.location.pathname } };
  const { url } = await body(sessionApi.POST('/console/session/identities', request));
  window.location.assign(url);
}

/** The identities at providers with which the user can sign in. */
export function Identities(): ReactNode {
  const ways = useWaysToSignIn();
  const identities = useQuery({
    queryKey: QUERY_KEYS.identities,
    queryFn: async () => (await body(sessionApi.GET('/console/session/identities'))).data,
  });
  const linking = useMutation({ mutationFn: link });
  const providers = ways.data?.data ?? [];
  return (
    <section aria-label={t('Identities')}>
      <SectionHeader title={t('Identities')} about={t('Who you are at the identity providers that sign you in.')}>
        <Group gap="xs">
          {providers.map(({ name, label }) => (
            <Button
              key={name}
              size="compact-sm"
              variant="default"
              loading={linking.isPending && linking.variables === name}
              onClick={() => linking.mutate(name)}
            >
              {t('Link {label}', { label })}
            </Button>
          ))}
        </Group>
      </SectionHeader>
      {linking.error && <FaultAlert error={linking.error} />}
      <Loaded query={identities} placeholder={<Placeholder h={{ base: 50, sm: 25 }} />}>
        {(rows) =>
          rows.length === 0 && providers.length === 0 ? (
            <Text c="dimmed">{t('This gateway has no identity provider: links and keys sign in.')}</Text>
          ) : (
            <DataTable
              label={t('Identities')}
              columns={COLUMNS}
              rows={rows}
              rowKey={({ id }) => id}
              empty={t('No linked identities yet. Link one to sign in without a link from the operator.')}
            />
          )
        }
      </Loaded>
    </section>
  );
}
