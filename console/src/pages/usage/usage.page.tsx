import { Alert, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { analytics, analyticsMeta } from '../../api/analytics';
import { Loaded } from '../../components/loaded';
import { PageHeader } from '../../components/page-header';
import { useScope } from '../../scope/use-scope';
import { UsageChart, WaitingChart } from './usage-chart';
import { UsageExport } from './usage-export';
import { UsageForm } from './usage-form';
import { requestOf, type UsageSearch } from './usage-query';
import { UsageTable } from './usage-table';
import { plural, t } from '../../text/translate';
import { Placeholder } from '../../components/placeholder';

/** Shows the query in the address as a form, and its result as a chart, a table and two files. */
export function UsagePage(): ReactNode {
  const search = useSearch({ from: '/usage' });
  const navigate = useNavigate({ from: '/usage' });
  const { workspace, time } = useScope();
  const request = useMemo(() => requestOf(search, { workspace, time }), [search, workspace, time]);
  const words = useQuery(analyticsMeta);
  const result = useQuery(analytics(request));
  const change = (part: UsageSearch): void => void navigate({ search: (now) => ({ ...now, ...part }), replace: true });
  return (
    <Stack>
      <PageHeader
        title={t('Usage')}
        about={t('The address of this page is the query: keep it, or send it to a colleague.')}
      >
        <UsageExport request={request} rows={result.data?.rows} />
      </PageHeader>
      <Loaded query={words} placeholder={<Placeholder h={{ base: 580, xs: 400, sm: 291, lg: 214 }} />}>
        {(meta) => <UsageForm search={search} words={meta} onChange={change} />}
      </Loaded>
      {!words.isError && (
        <Paper withBorder p="sm">
          {words.data ? <UsageChart request={request} search={search} onChange={change} /> : <WaitingChart />}
        </Paper>
      )}
      <Loaded query={result}>
        {(data) => (
          <Stack>
            {data.warnings.map((warning) => (
              <Alert key={warning} color="orange" variant="outline">
                {warning}
              </Alert>
            ))}
            <Text size="sm" c="dimmed" role="status">
              {plural(data.rows.length, '{count} row', '{count} rows')}
              {data.isTruncated && `, ${t('and more were left out')}`}
            </Text>
            <UsageTable request={request} rows={data.rows} />
          </Stack>
        )}
      </Loaded>
    </Stack>
  );
}
