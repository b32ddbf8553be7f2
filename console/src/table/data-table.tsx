import { Table, Text } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import { useEffect, useRef, type MouseEvent, type ReactNode, type Ref } from 'react';
import { SortButton, useSorting, type Sorting } from './sorting';

export type SortDirection = 'asc' | 'desc';

/** The order of rows that the API sorts. */
export interface TableSort {
  readonly by: string;
  readonly direction: SortDirection;
  readonly onChange: (by: string, direction: SortDirection) => void;
}

export interface Column<Row> {
  readonly header: string;
  readonly cell: (row: Row) => ReactNode;
  readonly isNumeric?: boolean;
  /** Omitted if the window is too narrow for all columns. Cards always contain it. */
  readonly isSecondary?: boolean;
  /** Makes the column sortable: returns the value to compare rows by. */
  readonly sortBy?: (row: Row) => string | number | null;
  /** Whether the rows are initially sorted by this column, in descending order. */
  readonly isFirstSort?: boolean;
  /** The API's sort parameter of the column, in a table with `sort`. */
  readonly sortParameter?: string;
  /** The direction of the first click on a column that the API sorts. Default: descending. */
  readonly firstDirection?: SortDirection;
}

interface DataTableProps<Row> {
  /** The accessible name of the table. */
  readonly label: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly rowKey: (row: Row, index: number) => string;
  /** The text to show instead of an empty table. */
  readonly empty: string;
  /** The order of a list that the API sorts. */
  readonly sort?: TableSort;
  /** Called when the last rows become visible. */
  readonly onEnd?: () => void;
  /** A last row with the sums of all other rows. Sorting does not move the last row. */
  readonly total?: Row;
}

const ROW_HEIGHT_PX = 41;
/** In narrower windows, rows are cards: one line for each column (styles.css). */
const NARROW = '(max-width: 37.5em)';
const CARD_LINE_PX = 26;
const CARD_PADDING_PX = 17;
/** With fewer rows, all rows are in the document, so that the browser's search finds them. */
const MIN_VIRTUAL_ROWS = 200;
const OVERSCAN_ROWS = 12;

/** A table of any length. In a long table, only the visible rows are in the document. */
export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const { label, columns, rowKey, empty, sort, onEnd, total } = props;
  const { rows, sorting } = useSorting(props);
  const scroller = useRef<HTMLDivElement>(null);
  const isNarrow = useMediaQuery(NARROW, false, { getInitialValueInEffect: false });
  const isVirtual = rows.length >= MIN_VIRTUAL_ROWS || onEnd !== undefined;
  const virtualizer = useVirtualizer({
    count: rows.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => (isNarrow ? columns.length * CARD_LINE_PX + CARD_PADDING_PX : ROW_HEIGHT_PX),
    overscan: OVERSCAN_ROWS,
    enabled: isVirtual,
  });
  const visible = virtualizer.getVirtualItems();
  const last = visible.at(-1)?.index ?? -1;
  useEffect(() => {
    if (onEnd && last >= rows.length - 1) onEnd();
  }, [onEnd, last, rows.length]);

  if (rows.length === 0)
    return (
      <Text size="sm" c="dimmed">
        {empty}
      </Text>
    );
  const before = visible[0]?.start ?? 0;
  const after = virtualizer.getTotalSize() - (visible.at(-1)?.end ?? 0);
  const indices = isVirtual ? visible.map(({ index }) => index) : rows.keys();
  return (
    <div
      ref={scroller}
      className="scroll as-cards"
      role="region"
      aria-label={label}
      tabIndex={0}
      style={isVirtual ? { maxHeight: '70vh' } : undefined}
    >
      <Table
        striped={!isVirtual}
        highlightOnHover
        stickyHeader={isVirtual}
        role="table"
        aria-label={label}
        aria-rowcount={rows.length + 1}
      >
        <Table.Thead>
          <Table.Tr>
            {columns.map((column) =>
              sort && column.sortParameter !== undefined ? (
                <SortedHeading key={column.header} column={column} by={column.sortParameter} sort={sort} />
              ) : (
                <Heading key={column.header} column={column} sorting={sorting} />
              ),
            )}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {isVirtual && <Spacer height={before} columns={columns.length} />}
          {[...indices].map((index) => (
            <DataRow
              key={rowKey(rows[index]!, index)}
              row={rows[index]!}
              index={index}
              columns={columns}
              isFixed={isVirtual && !isNarrow}
              measured={isVirtual && isNarrow ? virtualizer.measureElement : undefined}
            />
          ))}
          {isVirtual && <Spacer height={after} columns={columns.length} />}
        </Table.Tbody>
        {total !== undefined && (
          <Table.Tfoot>
            <DataRow row={total} index={rows.length} columns={columns} isFixed={false} />
          </Table.Tfoot>
        )}
      </Table>
    </div>
  );
}

interface HeadingProps<Row> {
  readonly column: Column<Row>;
  readonly sorting: Sorting;
}

function Heading<Row>({ column, sorting }: HeadingProps<Row>): ReactNode {
  const { header, sortBy } = column;
  const direction = sortBy && sorting.header === header ? sorting.direction : undefined;
  return (
    <Table.Th scope="col" className={classOf(column)} aria-sort={direction}>
      {sortBy ? <SortButton header={header} direction={direction} onSort={() => sorting.onSort(header)} /> : header}
    </Table.Th>
  );
}

const classOf = ({ isNumeric, isSecondary }: Pick<Column<never>, 'isNumeric' | 'isSecondary'>): string | undefined =>
  [isNumeric && 'numeric', isSecondary && 'secondary'].filter(Boolean).join(' ') || undefined;

const DIRECTIONS = { asc: 'ascending', desc: 'descending' } as const;
const OPPOSITE = { asc: 'desc', desc: 'asc' } as const;

interface SortedHeadingProps<Row> {
  readonly column: Column<Row>;
  readonly by: string;
  readonly sort: TableSort;
}

/** The heading of a column that the API sorts. */
function SortedHeading<Row>({ column, by, sort }: SortedHeadingProps<Row>): ReactNode {
  const { header, firstDirection = 'desc' } = column;
  const isSorted = sort.by === by;
  const direction = isSorted ? DIRECTIONS[sort.direction] : undefined;
  const next = isSorted ? OPPOSITE[sort.direction] : firstDirection;
  return (
    <Table.Th scope="col" className={classOf(column)} aria-sort={direction ?? 'none'}>
      <SortButton header={header} direction={direction} onSort={() => sort.onChange(by, next)} />
    </Table.Th>
  );
}

interface DataRowProps<Row> {
  readonly row: Row;
  readonly index: number;
  readonly columns: readonly Column<Row>[];
  /** Whether the row has a fixed height, with one line of text. */
  readonly isFixed: boolean;
  /** Receives the row whose height must be measured. */
  readonly measured?: Ref<HTMLTableRowElement>;
}

function DataRow<Row>({ row, index, columns, isFixed, measured }: DataRowProps<Row>): ReactNode {
  const style = isFixed ? { height: ROW_HEIGHT_PX, whiteSpace: 'nowrap' as const } : undefined;
  return (
    <Table.Tr ref={measured} data-index={index} role="row" aria-rowindex={index + 2} style={style}>
      {columns.map(({ header, cell, ...column }) => (
        <Table.Td
          key={header}
          role="cell"
          data-label={header}
          className={classOf(column)}
          onMouseEnter={titleIfTruncated}
        >
          {cell(row)}
        </Table.Td>
      ))}
    </Table.Tr>
  );
}

function titleIfTruncated({ currentTarget: cell }: MouseEvent<HTMLTableCellElement>): void {
  cell.title = cell.scrollWidth > cell.clientWidth ? cell.textContent : '';
}

function Spacer({ height, columns }: { readonly height: number; readonly columns: number }): ReactNode {
  if (height <= 0) return null;
  return (
    <tr aria-hidden>
      <td colSpan={columns} style={{ height, padding: 0 }} />
    </tr>
  );
}
