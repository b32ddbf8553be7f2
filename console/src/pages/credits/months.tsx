import { Button, Group, Paper, Title } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { analytics, inWorkspace, numberOf, type AnalyticsRow } from '../../api/analytics';
import { Loaded } from '../../components/loaded';
import { PageLink } from '../../components/page-link';
import { saveFile } from '../../components/save-file';
import { count, usd } from '../../format/amounts';
import { csv } from '../../format/csv';
import { useScope } from '../../scope/use-scope';
import { DataTable, type Column } from '../../table/data-table';
import { monthForecast, monthStart } from './burn';

const MONTHS = 12;
const BUCKET = 'date__month';
const METRICS = ['credits_usage', 'byok_usage', 'request_count', 'tokens_total'] as const;
const monthName = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' });

const startOf = (row: AnalyticsRow): number => Date.parse(String(row[BUCKET]));
const lastDay = (start: number): string => new Date(monthStart(start, 1) - 1).toISOString().slice(0, 10);

const columns: readonly Column<AnalyticsRow>[] = [
  {
    header: 'Month (UTC)',
    cell: (row) => (
      <PageLink
        to="/usage"
        search={{ from: String(row[BUCKET]).slice(0, 10), to: lastDay(startOf(row)), by: ['model'] }}
      >
        {monthName.format(startOf(row))}
      </PageLink>
    ),
  },
  { header: 'Bill', cell: (row) => usd(numberOf(row, 'credits_usage')), isNumeric: true },
  { header: 'Beside it, on own credentials', cell: (row) => usd(numberOf(row, 'byok_usage')), isNumeric: true },
  { header: 'Requests', cell: (row) => count(numberOf(row, 'request_count')), isNumeric: true },
  { header: 'Tokens', cell: (row) => count(numberOf(row, 'tokens_total')), isNumeric: true },
];

/** The bill of each month, the newest first. */
export function Months(): ReactNode {
  const { workspace, asOf } = useScope();
  const time_range = useMemo(
    () => ({ start: new Date(monthStart(asOf, 1 - MONTHS)).toISOString(), end: new Date(asOf).toISOString() }),
    [asOf],
  );
  const months = useQuery(
    analytics({ metrics: [...METRICS], granularity: 'month', filters: inWorkspace(workspace), time_range }),
  );
  return (
    <Paper withBorder p="sm">
      <Loaded query={months}>
        {({ rows }) => {
          const newest = rows.toSorted((a, b) => startOf(b) - startOf(a));
          const running = newest.find((row) => startOf(row) === monthStart(asOf));
          const forecast = running && monthForecast(numberOf(running, 'credits_usage'), asOf);
          return (
            <>
              <Group justify="space-between" mb="xs">
                <Title order={2}>
                  Months
                  {forecast !== undefined && forecast > 0 && `: this one comes to about ${usd(forecast)}`}
                </Title>
                <Button
                  variant="default"
                  size="xs"
                  onClick={() => saveFile('months.csv', csv([BUCKET, ...METRICS], newest), 'text/csv')}
                >
                  CSV
                </Button>
              </Group>
              <DataTable
                label="Months"
                columns={columns}
                rows={newest}
                rowKey={(row) => String(row[BUCKET])}
                empty="There were no calls in the last twelve months."
              />
            </>
          );
        }}
      </Loaded>
    </Paper>
  );
}
