import { Loader } from '@mantine/core';
import type { ReactNode } from 'react';
import { DataTable, type Column, type TableSort } from './data-table';
import { mayBeTemporary } from '../api/api-fault';
import { ReadFault } from '../components/fault-alert';
import type { CursorList } from './use-cursor-list';
import { t } from '../text/translate';
import { Placeholder } from '../components/placeholder';

interface CursorTableProps<T> {
  readonly label: string;
  readonly list: CursorList<T>;
  readonly columns: readonly Column<T>[];
  readonly rowKey: (row: T, index: number) => string;
  readonly empty: string;
  readonly sort?: TableSort;
}

/** A table that loads its next page when it is scrolled to the end. */
export function CursorTable<T>({ label, list, columns, rowKey, empty, sort }: CursorTableProps<T>): ReactNode {
  if (list.isPending) return <Placeholder h="60vh" />;
  const fault = list.error && <ReadFault error={list.error} onRetry={list.retry} />;
  if (fault && list.rows.length === 0) return fault;
  return (
    <>
      {fault && !mayBeTemporary(list.error) && fault}
      <div className={list.isOutdated ? 'outdated' : undefined} aria-busy={list.isOutdated}>
        <DataTable
          label={label}
          columns={columns}
          rows={list.rows}
          rowKey={rowKey}
          empty={empty}
          sort={sort}
          onEnd={list.more}
        />
      </div>
      {list.isLoadingMore && <Loader size="sm" aria-label={t('Loading more')} />}
    </>
  );
}
