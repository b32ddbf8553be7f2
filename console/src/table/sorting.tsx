import { UnstyledButton } from '@mantine/core';
import { useMemo, useState, type ReactNode } from 'react';
import { compared, type Direction } from './compared';
import type { Column } from './data-table';

export interface Sorting {
  /** Of the column that the rows are sorted by. */
  readonly header: string | undefined;
  readonly direction: Direction;
  readonly onSort: (header: string) => void;
}

interface SortableProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}

/** The rows in the order that a click on a header chose; at first as they are. */
export function useSorting<Row>({ columns, rows }: SortableProps<Row>): { rows: readonly Row[]; sorting: Sorting } {
  const [header, setHeader] = useState<string>();
  const [direction, setDirection] = useState<Direction>('descending');
  const sortBy = columns.find((column) => column.header === header)?.sortBy;
  // Columns are made at each rendering; the header names the one in use.
  const sorted = useMemo(
    () => (sortBy ? rows.toSorted((a, b) => compared(sortBy(a), sortBy(b), direction)) : rows),
    [rows, header, direction],
  );
  const onSort = (chosen: string): void => {
    const isSame = chosen === header;
    setHeader(chosen);
    setDirection(isSame && direction === 'descending' ? 'ascending' : 'descending');
  };
  return { rows: sorted, sorting: { header, direction, onSort } };
}

interface SortButtonProps {
  readonly header: string;
  readonly sorting: Sorting;
}

/** A header that sorts: the largest first, then the smallest. */
export function SortButton({ header, sorting }: SortButtonProps): ReactNode {
  const isSorted = sorting.header === header;
  const sign = isSorted ? (sorting.direction === 'ascending' ? '▲' : '▼') : '';
  return (
    <UnstyledButton className="sort-button" onClick={() => sorting.onSort(header)}>
      {header}
      <span aria-hidden className="sort-sign">
        {sign}
      </span>
    </UnstyledButton>
  );
}
