import { Group, Paper, SimpleGrid, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { analytics, numberOf, seriesOf, type AnalyticsRow } from '../../api/analytics';
import { useKey, useKeySummary } from '../../api/keys';
import { useMay } from '../../api/session';
import type { KeyRecord, KeySummary } from '../../api/records';
import { useWorkspaceNames } from '../../api/workspaces';
import { Chart } from '../../chart/chart';
import { ClientTabs } from '../../clients/client-tabs';
import { DataTable, type Column } from '../../table/data-table';
import { Facts, type Fact } from '../../components/facts';
import { Loaded } from '../../components/loaded';
import { PageHeader } from '../../components/page-header';
import { count, usd } from '../../format/amounts';
import { moment } from '../../format/times';
import { useScope } from '../../scope/use-scope';
import { FormerSecrets } from './former-secrets';
import { DeleteKey, DisableKey, EditKey, RaiseKeyLimit } from './key-actions';
import { KeySettingsForm } from './key-settings';
import { stateOf, StateBadge } from './key-state';
import { LimitBar } from './limit-bar';
import { RotateKey } from './rotate-key';
import { PageLink } from '../../components/page-link';

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
          <PageHeader title={record.name} about={<code>{record.label}</code>}>
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
              <Facts title="Who has it" rows={[...ownerOf(record, summary.data, nameOfWorkspace), ...budgets]} />
              <Facts title="Facts" rows={factsOf(record, summary.data)} />
            </Stack>
            <Paper withBorder p="sm" miw={0}>
              <Title order={2} mb="xs">
                How to use it
              </Title>
              <ClientTabs />
              <PageLink to="/connect" search={{ key: hash }} size="sm">
                Connect a client with it
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
  ['Owner', summary?.creator_name ?? creator_user_id?.slice(0, 8) ?? 'Nobody: a key of the workspace'],
  ['Workspace', summary?.workspace_name ?? nameOfWorkspace(workspace_id)],
  ...(external_user === null ? [] : [['User of another system', external_user] as const]),
];

/** Amounts that are zero are left out, but for the sum. */
const factsOf = (record: KeyRecord, summary: KeySummary | null | undefined): Fact[] => [
  ['State', <StateBadge key="state" state={stateOf(record)} />],
  ['Limit', summary ? <LimitBar key="limit" limit={summary} /> : limitOf(record)],
  ...amountOf('Spent today', record.usage_daily),
  ...amountOf('Spent this month', record.usage_monthly),
  ['Spent in all', usd(record.usage)],
  ...amountOf('On own credentials, this month', record.byok_usage_monthly),
  ...amountOf('On own credentials, in all', record.byok_usage),
  ...(record.include_byok_in_limit ? [['The limit counts own credentials', 'yes'] as const] : []),
  ['Created', moment(record.created_at)],
  ['Last used', record.last_used_at ? moment(record.last_used_at) : 'Never'],
  ['Expires', record.expires_at ? moment(record.expires_at) : 'Never'],
];

const amountOf = (label: string, amount: number): Fact[] => (amount === 0 ? [] : [[label, usd(amount)]]);

const limitOf = ({ limit, limit_reset }: KeyRecord): string =>
  limit === null ? 'No limit' : `${usd(limit)} ${limit_reset ?? ''}`;

const budgetsOf = ({ hash }: KeyRecord): Fact => [
  'Budgets',
  <PageLink key="budgets" to="/budgets" search={{ key: hash }}>
    Budgets of this key
  </PageLink>,
];

const SPEND_COLUMNS: readonly Column<AnalyticsRow>[] = [
  { header: 'Model', cell: ({ model }) => String(model) },
  { header: 'Spent', cell: (row) => usd(numberOf(row, 'credits_usage')), isNumeric: true },
  { header: 'On own credentials', cell: (row) => usd(numberOf(row, 'byok_usage')), isNumeric: true },
  { header: 'Requests', cell: (row) => count(numberOf(row, 'request_count')), isNumeric: true },
  { header: 'Tokens', cell: (row) => count(numberOf(row, 'tokens_total')), isNumeric: true },
];

const SPEND_METRICS = ['credits_usage', 'byok_usage', 'request_count', 'tokens_total'] as const;

/** The sums of all days, the dearest model first. */
function totalsByModel(rows: readonly AnalyticsRow[]): AnalyticsRow[] {
  const totals = new Map<string, Record<string, string | number>>();
  for (const row of rows) {
    const model = String(row.model);
    const total = totals.get(model) ?? { model };
    for (const metric of SPEND_METRICS) total[metric] = Number(total[metric] ?? 0) + numberOf(row, metric);
    totals.set(model, total);
  }
  return [...totals.values()].toSorted((a, b) => numberOf(b, 'credits_usage') - numberOf(a, 'credits_usage'));
}

/** "What did this key spend, by model?" */
function SpendByModel({ hash }: { readonly hash: string }): ReactNode {
  const { time: time_range } = useScope();
  const spend = useQuery(
    analytics({
      metrics: [...SPEND_METRICS],
      dimensions: ['model'],
      granularity: 'day',
      filters: [{ field: 'api_key_id', operator: 'eq', value: hash }],
      time_range,
    }),
  );
  return (
    <Paper withBorder p="sm">
      <Title order={2}>Spend by model</Title>
      <Loaded query={spend}>
        {({ rows }) => (
          <>
            <Chart
              label="Spend per day, by model"
              kind="bars"
              granularity="day"
              format={usd}
              {...seriesOf(rows, { granularity: 'day', ...time_range }, 'credits_usage', ({ model }) => String(model))}
            />
            <DataTable
              label="Spend by model"
              columns={SPEND_COLUMNS}
              rows={totalsByModel(rows)}
              rowKey={({ model }) => String(model)}
              empty="It made no calls in these days."
            />
          </>
        )}
      </Loaded>
      <Group mt="xs">
        <PageLink to="/usage" search={{ by: ['model'], key: hash }} size="sm">
          Open in Usage
        </PageLink>
        <PageLink to="/calls" search={{ key: hash }} size="sm">
          Its calls
        </PageLink>
      </Group>
    </Paper>
  );
}
