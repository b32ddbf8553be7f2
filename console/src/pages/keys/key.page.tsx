import { Group, Paper, SimpleGrid, Stack, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type ReactNode } from 'react';
import { analytics, numberOf, seriesOf, type AnalyticsRow } from '../../api/analytics';
import { useKey } from '../../api/keys';
import { useMay } from '../../api/session';
import type { KeyRecord } from '../../api/records';
import { useWorkspaceNames } from '../../api/workspaces';
import { Chart } from '../../chart/chart';
import { DataTable, type Column } from '../../table/data-table';
import { Facts, type Fact } from '../../components/facts';
import { Loaded } from '../../components/loaded';
import { PageHeader } from '../../components/page-header';
import { count, usd } from '../../format/amounts';
import { moment } from '../../format/times';
import { useScope } from '../../scope/use-scope';
import { DeleteKey, DisableKey, EditKey, RaiseKeyLimit, RotateKey } from './key-actions';
import { KeySettingsForm } from './key-settings';
import { KeySnippets } from './key-snippets';
import { KeyState } from './keys.page';
import { PageLink } from '../../components/page-link';

export function KeyPage(): ReactNode {
  const { hash } = useParams({ from: '/keys/$hash' });
  const key = useKey(hash);
  const canWrite = useMay('keys.write');
  const canReadBudgets = useMay('budgets.read');
  const nameOfWorkspace = useWorkspaceNames();
  return (
    <Loaded query={key}>
      {(record) => (
        <Stack>
          <PageHeader title={record.name} about={<code>{record.label}</code>}>
            {canWrite && (
              <>
                <EditKey record={record} />
                <RaiseKeyLimit record={record} />
                <RotateKey record={record} />
                <DisableKey record={record} />
                <DeleteKey record={record} />
              </>
            )}
          </PageHeader>
          <SimpleGrid cols={{ base: 1, md: 2 }}>
            <Facts
              title="Facts"
              rows={[...factsOf(record, nameOfWorkspace), ...(canReadBudgets ? [budgetsOf(record)] : [])]}
            />
            <Paper withBorder p="sm" miw={0}>
              <Title order={2} mb="xs">
                How to use it
              </Title>
              <KeySnippets />
            </Paper>
          </SimpleGrid>
          <SpendByModel hash={hash} />
          {canWrite && <KeySettingsForm hash={hash} />}
        </Stack>
      )}
    </Loaded>
  );
}

const factsOf = (record: KeyRecord, nameOfWorkspace: (id: string) => string): Fact[] => [
  ['State', <KeyState key="state" record={record} />],
  ['Limit', record.limit === null ? 'none' : `${usd(record.limit)} ${record.limit_reset ?? ''}`],
  ['Left of the limit', record.limit === null ? 'unlimited' : usd(record.limit_remaining)],
  ['Spent today', usd(record.usage_daily)],
  ['Spent this month', usd(record.usage_monthly)],
  ['Spent in all', usd(record.usage)],
  ['On own credentials, this month', usd(record.byok_usage_monthly)],
  ['On own credentials, in all', usd(record.byok_usage)],
  ['The limit counts own credentials', record.include_byok_in_limit ? 'yes' : 'no'],
  ['Workspace', nameOfWorkspace(record.workspace_id)],
  ['Made', moment(record.created_at)],
  ['Last used', record.last_used_at ? moment(record.last_used_at) : 'never'],
  ['Expires', record.expires_at ? moment(record.expires_at) : 'never'],
];

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
