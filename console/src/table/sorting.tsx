import { UnstyledButton } from '@mantine/core';
import { useMemo, useState, type ReactNode } from 'react';
import { compared, type Direction } from './compared';
import type { Column } from './data-table';

export interface Sorting {
  /** The header of the column that the rows are sorted by. */
  readonly header: string | undefined;
  readonly direction: Direction;
  readonly onSort: (header: string) => void;
}

const SIGNS: Readonly<Record<Direction, string>> = { ascending: '▲', descending: '▼' };

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
  /** Undefined where the rows are sorted by another column. */
  readonly direction: Direction | undefined;
  readonly onSort: () => void;
}

/** The header of a column that can be sorted, with the direction. */
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
