import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import type { AnalyticsResult } from '../../api/analytics';
import { useKeyNames } from '../../api/keys';
import type { AnalyticsQuery } from '../../api/records';
import { saveFile } from '../../components/save-file';
import { csv } from '../../format/csv';
import { t } from '../../text/translate';

/** The columns of a result, in the order of its query. */
export const columnsOf = ({ granularity, dimensions = [], metrics }: AnalyticsQuery): string[] => [
  ...(granularity ? [`date__${granularity}`] : []),
  ...dimensions,
  ...metrics,
];

interface UsageExportProps {
  readonly request: AnalyticsQuery;
  /** Undefined while the rows are loading. */
  readonly rows: AnalyticsResult['rows'] | undefined;
}

/** Saves the result of a query as CSV or JSON. */
export function UsageExport({ request, rows = [] }: UsageExportProps): ReactNode {
  const nameOf = useKeyNames();
  const columns = columnsOf(request);
  const isByKey = columns.includes('api_key_id');
  const saveCsv = (): void => {
    const named = isByKey ? rows.map((row) => ({ ...row, key_name: nameOf(row.api_key_id) })) : rows;
    saveFile('usage.csv', csv(isByKey ? [...columns, 'key_name'] : columns, named), 'text/csv');
  };
  const disabled = rows.length === 0;
  const saveJson = (): void =>
    saveFile('usage.json', JSON.stringify({ request, data: rows }, null, 2), 'application/json');
  return (
    <>
      <Button variant="default" disabled={disabled} onClick={saveCsv}>
        {t('Export CSV')}
      </Button>
      <Button variant="default" disabled={disabled} onClick={saveJson}>
        {t('JSON')}
      </Button>
    </>
  );
}
