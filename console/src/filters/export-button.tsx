import { Button, Text } from '@mantine/core';
import { useRef, useState, type ReactNode } from 'react';
import { saveFile } from '../components/save-file';
import { count } from '../format/amounts';
import { csv, type CsvRow } from '../format/csv';
import { plural, t } from '../text/translate';

const PAGE = 500;
/** A larger file would fill the memory of the page. */
const MAX_ROWS = 50_000;

interface ExportButtonProps {
  readonly fileName: string;
  readonly columns: readonly string[];
  /** Reads the page that starts at a cursor. */
  readonly onRead: (
    cursor: string | undefined,
    limit: number,
    signal: AbortSignal,
  ) => Promise<{ readonly rows: readonly CsvRow[]; readonly nextCursor: string | null }>;
}

/** Saves all rows of a list as CSV, at most 50,000. Reports if there were more. */
export function ExportButton({ fileName, columns, onRead }: ExportButtonProps): ReactNode {
  const [done, setDone] = useState<number>();
  const [notice, setNotice] = useState('');
  const running = useRef<AbortController>(undefined);
  const start = async (): Promise<void> => {
    const { signal } = (running.current = new AbortController());
    const rows: CsvRow[] = [];
    setNotice('');
    setDone(0);
    try {
      let cursor: string | null | undefined;
      do {
        const page = await onRead(cursor ?? undefined, Math.min(PAGE, MAX_ROWS - rows.length), signal);
        rows.push(...page.rows);
        cursor = page.nextCursor;
        setDone(rows.length);
      } while (cursor !== null && rows.length < MAX_ROWS && !signal.aborted);
      if (signal.aborted) return;
      saveFile(fileName, csv(columns, rows), 'text/csv');
      setNotice(
        cursor === null
          ? t('{rows} saved', { rows: plural(rows.length, '{count} row', '{count} rows') })
          : t('The newest {rows} rows saved; older ones are left out: choose a shorter time', {
              rows: count(rows.length),
            }),
      );
    } catch (error) {
      if (!signal.aborted)
        setNotice(t('Not saved: {message}', { message: error instanceof Error ? error.message : String(error) }));
    } finally {
      setDone(undefined);
    }
  };
  return (
    <>
      <Button
        variant="default"
        size="xs"
        onClick={() => (done === undefined ? void start() : running.current?.abort())}
      >
        {done === undefined ? t('Export CSV') : t('Stop ({done} rows)', { done: count(done) })}
      </Button>
      <Text size="xs" c="dimmed" role="status" hidden={notice === ''}>
        {notice}
      </Text>
    </>
  );
}
