import { Alert, Button, Paper, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo, type ReactNode } from 'react';
import { analytics, analyticsWords, type AnalyticsResult } from '../../api/analytics';
import { useKeyNames } from '../../api/keys';
import type { AnalyticsQuery } from '../../api/records';
import { Loaded } from '../../components/loaded';
import { PageHeader } from '../../components/page-header';
import { saveFile } from '../../components/save-file';
import { count } from '../../format/amounts';
import { csv } from '../../format/csv';
import { useScope } from '../../scope/use-scope';
import { UsageChart } from './usage-chart';
import { UsageForm } from './usage-form';
import { requestOf, type UsageSearch } from './usage-query';
import { UsageTable } from './usage-table';

/** The analytics query of the address as a form, a chart, a table and two files. */
export function UsagePage(): ReactNode {
  const search = useSearch({ from: '/usage' });
  const navigate = useNavigate({ from: '/usage' });
  const { workspace, time } = useScope();
  const request = useMemo(() => requestOf(search, { workspace, time }), [search, workspace, time]);
  const words = useQuery(analyticsWords);
  const result = useQuery(analytics(request));
  const change = (part: UsageSearch): void => void navigate({ search: (now) => ({ ...now, ...part }), replace: true });
  return (
    <Stack>
      <PageHeader title="Usage" about="The address of this page is the query: keep it, or send it to a colleague.">
        {result.data && <Downloads request={request} result={result.data} />}
      </PageHeader>
      <Loaded query={words}>{(meta) => <UsageForm search={search} words={meta} onChange={change} />}</Loaded>
      {words.data && (
        <Paper withBorder p="sm">
          <UsageChart request={request} search={search} onChange={change} />
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
              {count(data.rows.length)} rows in {count(data.tookMs)} ms
              {data.isTruncated ? ', and more were left out' : ''}
            </Text>
            <UsageTable request={request} rows={data.rows} />
          </Stack>
        )}
      </Loaded>
    </Stack>
  );
}

/** The columns of a result, in the order of its query. */
export const columnsOf = ({ granularity, dimensions = [], metrics }: AnalyticsQuery): string[] => [
  ...(granularity ? [`date__${granularity}`] : []),
  ...dimensions,
  ...metrics,
];

interface DownloadsProps {
  readonly request: AnalyticsQuery;
  readonly result: AnalyticsResult;
}

function Downloads({ request, result: { rows } }: DownloadsProps): ReactNode {
  const nameOf = useKeyNames();
  const columns = columnsOf(request);
  const isByKey = columns.includes('api_key_id');
  const saveCsv = (): void => {
    const named = isByKey ? rows.map((row) => ({ ...row, key_name: nameOf(row.api_key_id) })) : rows;
    saveFile('usage.csv', csv(isByKey ? [...columns, 'key_name'] : columns, named), 'text/csv');
  };
  const saveJson = (): void =>
    saveFile('usage.json', JSON.stringify({ request, data: rows }, null, 2), 'application/json');
  return (
    <>
      <Button variant="default" onClick={saveCsv}>
        CSV
      </Button>
      <Button variant="default" onClick={saveJson}>
        JSON
      </Button>
    </>
  );
}
