import { Button, Group, Paper, Text, Title } from '@mantine/core';
import { useQuery, type UseQueryResult } from '@tanstack/react-query';
import { useMemo, type ReactNode } from 'react';
import { analytics, inWorkspace, numberOf, type AnalyticsResult, type AnalyticsRow } from '../../api/analytics';
import { Loaded } from '../../components/loaded';
import { PageLink } from '../../components/page-link';
import { saveFile } from '../../components/save-file';
import { count, usd } from '../../format/amounts';
import { csv } from '../../format/csv';
import { useScope } from '../../scope/use-scope';
import { DataTable, type Column } from '../../table/data-table';
import { monthForecast, monthStart } from './burn';
import { t } from '../../text/translate';
import { Placeholder } from '../../components/placeholder';

const MONTHS = 12;
const BUCKET = 'date__month';
const METRICS = ['credits_usage', 'byok_usage', 'request_count', 'tokens_total'] as const;
const monthName = new Intl.DateTimeFormat(undefined, { month: 'long', year: 'numeric', timeZone: 'UTC' });

const monthOnly = new Intl.DateTimeFormat(undefined, { month: 'long', timeZone: 'UTC' });

const startOf = (row: AnalyticsRow): number => Date.parse(String(row[BUCKET]));
const lastDay = (start: number): string => new Date(monthStart(start, 1) - 1).toISOString().slice(0, 10);

const columns: readonly Column<AnalyticsRow>[] = [
  {
    header: t('Month (UTC)'),
    cell: (row) => (
      <PageLink
        to="/usage"
        search={{ from: String(row[BUCKET]).slice(0, 10), to: lastDay(startOf(row)), by: ['model'] }}
      >
        {monthName.format(startOf(row))}
      </PageLink>
    ),
  },
  { header: t('Bill'), cell: (row) => usd(numberOf(row, 'credits_usage')), isNumeric: true },
  { header: t('On own credentials'), cell: (row) => usd(numberOf(row, 'byok_usage')), isNumeric: true },
  { header: t('Requests'), cell: (row) => count(numberOf(row, 'request_count')), isNumeric: true },
  { header: t('Tokens'), cell: (row) => count(numberOf(row, 'tokens_total')), isNumeric: true },
];

/** Sums of each of the last twelve months. */
export function useMonths(isEnabled: boolean): UseQueryResult<AnalyticsResult> {
  const { workspace, asOf } = useScope();
  const time_range = useMemo(
    () => ({ start: new Date(monthStart(asOf, 1 - MONTHS)).toISOString(), end: new Date(asOf).toISOString() }),
    [asOf],
  );
  return useQuery({
    ...analytics({ metrics: [...METRICS], granularity: 'month', filters: inWorkspace(workspace), time_range }),
    enabled: isEnabled,
  });
}

interface MonthsProps {
  readonly months: UseQueryResult<AnalyticsResult>;
}

/** The bill of each month, newest first. */
export function Months({ months }: MonthsProps): ReactNode {
  const { asOf } = useScope();
  return (
    <Paper withBorder p="sm">
      <Loaded query={months} placeholder={<Placeholder h={{ base: 437, sm: 180 }} />}>
        {({ rows }) => {
          const newest = rows.toSorted((a, b) => startOf(b) - startOf(a));
          const running = newest.find((row) => startOf(row) === monthStart(asOf));
          const forecast = running && monthForecast(numberOf(running, 'credits_usage'), asOf);
          return (
            <>
              <Group justify="space-between" align="flex-start" wrap="nowrap" mb="xs">
                <Group gap="0 12px" align="baseline">
                  <Title order={2}>{t('Months')}</Title>
                  {forecast !== undefined && forecast > 0 && (
                    <Text size="sm" c="dimmed">
                      {t('Forecast for {month}: {forecast}', {
                        month: monthOnly.format(monthStart(asOf)),
                        forecast: usd(forecast),
                      })}
                    </Text>
                  )}
                </Group>
                <Button
                  variant="default"
                  size="xs"
                  flex="none"
                  onClick={() => saveFile('months.csv', csv([BUCKET, ...METRICS], newest), 'text/csv')}
                >
                  {t('Export CSV')}
                </Button>
              </Group>
              <DataTable
                label={t('Months')}
                columns={columns}
                rows={newest}
                rowKey={(row) => String(row[BUCKET])}
                empty={t('No calls in the last twelve months.')}
              />
            </>
          );
        }}
      </Loaded>
    </Paper>
  );
}
