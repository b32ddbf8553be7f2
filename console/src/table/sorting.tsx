import { UnstyledButton } from '@mantine/core';
import { useMemo, useState, type ReactNode } from 'react';
import { compared, type Direction } from './compared';
import type { Column } from './data-table';

export interface Sorting {
  /** The header of the column by which the rows are sorted. */
  readonly header: string | undefined;
  readonly direction: Direction;
  readonly onSort: (header: string) => void;
}

const SIGNS: Readonly<Record<Direction, string>> = { ascending: '▲', descending: '▼' };

interface SortableProps<Row> {
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
}

/**
 * Sorts rows by the column that the reader clicked. Before the first click: by the column with `isFirstSort`, or not at
 * all.
 */
export function useSorting<Row>({ columns, rows }: SortableProps<Row>): { rows: readonly Row[]; sorting: Sorting } {
  const [header, setHeader] = useState(() => columns.find(({ isFirstSort }) => isFirstSort)?.header);
  const [direction, setDirection] = useState<Direction>('descending');
  const sortBy = columns.find((column) => column.header === header)?.sortBy;
  // Columns are created at each rendering; the header identifies the chosen one.
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
  /** Undefined if the rows are sorted by another column. */
  readonly direction: Direction | undefined;
  readonly onSort: () => void;
}

/** The header of a sortable column, with the direction. */
export function SortButton({ header, direction, onSort }: SortButtonProps): ReactNode {
  return (
    <UnstyledButton className="sort-button" onClick={onSort}>
      {header}
      <span aria-hidden className="sort-sign">
        {direction && SIGNS[direction]}
      </span>
    </UnstyledButton>
  );
}
