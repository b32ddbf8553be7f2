import { Paper, SimpleGrid, Stack, Title } from '@mantine/core';
import { useParams } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { useKey, useKeySummary } from '../../api/keys';
import { useMay } from '../../api/session';
import type { KeyRecord, KeySummary } from '../../api/records';
import { useWorkspaceNames } from '../../api/workspaces';
import { ClientTabs } from '../../clients/client-tabs';
import { Facts, type Fact } from '../../components/facts';
import { Loaded } from '../../components/loaded';
import { PageHeader } from '../../components/page-header';
import { usd } from '../../format/amounts';
import { moment } from '../../format/times';
import { shortOf } from '../../names/use-names';
import { FormerSecrets } from './former-secrets';
import { DeleteKey, DisableKey, EditKey, RaiseKeyLimit } from './key-actions';
import { KeySettingsForm } from './key-settings';
import { SpendByModel } from './key-spend';
import { stateOf, StateBadge } from './key-state';
import { LimitBar } from './limit-bar';
import { RotateKey } from './rotate-key';
import { PageLink } from '../../components/page-link';
import { t } from '../../text/translate';
import { resetWord } from '../../format/resets';

export function KeyPage(): ReactNode {
  const { hash } = useParams({ from: '/keys/$hash' });
  const key = useKey(hash);
  const canWrite = useMay('keys.write');
  const canReadBudgets = useMay('budgets.read');
  const nameOfWorkspace = useWorkspaceNames();
  const summary = useKeySummary(key.data?.hash);
  const budgets = canReadBudgets && key.data ? [budgetsOf(key.data)] : [];
  return (
    <Loaded query={key}>
      {(record) => (
        <Stack>
          <PageHeader
            title={record.name}
            about={<code>{record.label}</code>}
            parent={<PageLink to="/keys">{t('Keys')}</PageLink>}
          >
            {canWrite && (
              <>
                <EditKey record={record} />
                <RaiseKeyLimit record={record} />
                <RotateKey hash={record.hash} />
                <DisableKey hash={record.hash} name={record.name} disabled={record.disabled} />
                <DeleteKey record={record} />
              </>
            )}
          </PageHeader>
          <FormerSecrets hash={hash} name={record.name} canEnd={canWrite} />
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <Stack miw={0}>
              <Facts title={t('Who has it')} rows={[...ownerOf(record, summary.data, nameOfWorkspace), ...budgets]} />
              <Facts title={t('Facts')} rows={factsOf(record, summary.data)} />
            </Stack>
            <Paper withBorder p="sm" miw={0}>
              <Title order={2} mb="xs">
                {t('How to use it')}
              </Title>
              <ClientTabs />
              <PageLink to="/connect" search={{ key: hash }} size="sm">
                {t('Connect a client with it')}
              </PageLink>
            </Paper>
          </SimpleGrid>
          <SpendByModel hash={hash} />
          {canWrite && <KeySettingsForm hash={hash} />}
        </Stack>
      )}
    </Loaded>
  );
}

const ownerOf = (
  { creator_user_id, workspace_id, external_user }: KeyRecord,
  summary: KeySummary | null | undefined,
  nameOfWorkspace: (id: string) => string,
): Fact[] => [
  [
    t('Owner'),
    summary?.creator_name ?? (creator_user_id && shortOf(creator_user_id)) ?? t('Nobody: a key of the workspace'),
  ],
  [t('Workspace'), summary?.workspace_name ?? nameOfWorkspace(workspace_id)],
  ...(external_user === null ? [] : [[t('User of another system'), external_user] as const]),
];

/** Amounts that are zero are omitted, except the sum. */
const factsOf = (record: KeyRecord, summary: KeySummary | null | undefined): Fact[] => [
  [t('State'), <StateBadge key="state" state={stateOf(record)} />],
  [t('Limit'), summary ? <LimitBar key="limit" limit={summary} /> : limitOf(record)],
  ...amountOf(t('Spent today'), record.usage_daily),
  ...amountOf(t('Spent this month'), record.usage_monthly),
  [t('Spent in all'), usd(record.usage)],
  ...amountOf(t('On own credentials, this month'), record.byok_usage_monthly),
  ...amountOf(t('On own credentials, in all'), record.byok_usage),
  ...(record.include_byok_in_limit ? [[t('The limit counts own credentials'), t('yes')] as const] : []),
  [t('Created'), moment(record.created_at)],
  [t('Last used'), record.last_used_at ? moment(record.last_used_at) : t('Never')],
  [t('Expires'), record.expires_at ? moment(record.expires_at) : t('Never')],
];

const amountOf = (label: string, amount: number): Fact[] => (amount === 0 ? [] : [[label, usd(amount)]]);

const limitOf = ({ limit, limit_reset }: KeyRecord): string =>
  limit === null ? t('No limit') : `${usd(limit)} ${resetWord(limit_reset)}`;

const budgetsOf = ({ hash }: KeyRecord): Fact => [
  t('Budgets'),
  <PageLink key="budgets" to="/budgets" search={{ key: hash }}>
    {t('Budgets of this key')}
  </PageLink>,
];
