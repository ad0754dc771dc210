// The table component of the console. Rows are virtualised, column heads sort, rows can link to a page. The
// accessibility tree has the table with its full row count.
import { Button, Group, Paper, Text, UnstyledButton } from '@mantine/core';
import { useElementSize, useMergedRef } from '@mantine/hooks';
import { useVirtualizer } from '@tanstack/react-virtual';
import type { ReactNode } from 'react';
import { memo, useEffect, useRef, useState } from 'react';
import { countOf } from './amount';
import { leastWidth } from './column-widths';
import classes from './data-table.module.css';
import { IconArrowDown, IconArrowsSort, IconArrowUp } from './icons';

export interface Column<T> {
  /** The column's name in addresses and the key of its cells. */
  readonly key: string;
  readonly name: ReactNode;
  readonly cell: (row: T) => ReactNode;
  /** The value of `sort` that sorts ascending; a leading `-` sorts descending. Absent if the column is not sortable. */
  readonly sort?: string;
  readonly align?: 'left' | 'right';
  /** A CSS length, or a share of the rest, for example `2fr`. Default: `minmax(80px, 1fr)`. */
  readonly width?: string;
}

interface Props<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T) => string;
  /** The total number of rows, if not all are loaded. */
  readonly count?: number;
  readonly sort?: string;
  readonly onSort?: (sort: string) => void;
  /** Called when the last rows come into view. */
  readonly onEnd?: (() => void) | undefined;
  readonly empty: ReactNode;
  /** A CSS length; the table scrolls inside. Default: the rest of the window's height. */
  readonly height?: string;
  readonly rowHeight?: number;
}

const AHEAD = 20;
/** Pixels of a column that must be visible. */
const VISIBLE = 40;
const DEFAULT_WIDTH = 'minmax(80px, 1fr)';

export function DataTable<T>(props: Props<T>) {
  const { label, columns, rows, keyOf, count = rows.length, sort, onSort, onEnd, empty } = props;
  const { height = 'max(320px, calc(100vh - 300px))', rowHeight = 40 } = props;
  const frame = useRef<HTMLDivElement>(null);
  const { ref: sized, width } = useElementSize<HTMLDivElement>();
  const merged = useMergedRef(frame, sized);
  const [isScrolled, setScrolled] = useState(false);
  const scroll = (): void => frame.current?.scrollTo({ left: isScrolled ? 0 : width });
  const virtual = useVirtualizer({
    count: rows.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    overscan: 12,
    getItemKey: (index) => keyOf(rows[index] as T),
  });
  const seen = virtual.getVirtualItems();
  const last = seen.at(-1)?.index ?? 0;
  useEffect(() => {
    if (onEnd !== undefined && rows.length > 0 && last >= rows.length - AHEAD) onEnd();
  }, [last, rows.length, onEnd]);

  if (rows.length === 0) return <Paper withBorder>{empty}</Paper>;
  const widths = columns.map(({ width = DEFAULT_WIDTH }) => width);
  const template = widths.join(' ');
  // Head and rows are separate grids; they align because they have the same width.
  const minWidth = leastWidth(widths);
  const hidden = width === 0 ? 0 : widths.filter((_, at) => leastWidth(widths.slice(0, at)) + VISIBLE > width).length;
  return (
    <Paper withBorder className={classes.paper}>
      {hidden > 0 && (
        <Button variant="subtle" size="compact-xs" fullWidth onClick={scroll}>
          {isScrolled ? '← Back to the first columns' : `${countOf(hidden, 'more column')} to the right →`}
        </Button>
      )}
      <div
        ref={merged}
        onScroll={({ currentTarget }) => setScrolled(currentTarget.scrollLeft > 0)}
        className={classes.frame}
        style={{ maxHeight: height }}
        role="table"
        aria-label={label}
        aria-rowcount={count + 1}
        tabIndex={0}
      >
        <div role="rowgroup" className={classes.head} style={{ minWidth }}>
          <div role="row" aria-rowindex={1} className={classes.row} style={{ gridTemplateColumns: template }}>
            {columns.map((column) => (
              <Head key={column.key} column={column} sort={sort} onSort={onSort} />
            ))}
          </div>
        </div>
        <div role="rowgroup" className={classes.body} style={{ height: virtual.getTotalSize(), minWidth }}>
          {seen.map(({ index, key, start }) => (
            <Row
              key={key}
              row={rows[index] as T}
              index={index}
              start={start}
              height={rowHeight}
              template={template}
              columns={columns}
            />
          ))}
        </div>
      </div>
    </Paper>
  );
}

interface RowProps<T> {
  readonly row: T;
  readonly index: number;
  readonly start: number;
  readonly height: number;
  readonly template: string;
  readonly columns: readonly Column<T>[];
}

/** Memoised: scrolling renders only new rows; others render again only if the row or the columns change. */
const Row = memo(function Row<T>({ row, index, start, height, template, columns }: RowProps<T>) {
  return (
    <div
      role="row"
      aria-rowindex={index + 2}
      className={classes.row}
      style={{ gridTemplateColumns: template, height, transform: `translateY(${start}px)` }}
    >
      {columns.map((column) => (
        <div role="cell" key={column.key} className={classes.cell} data-align={column.align}>
          {column.cell(row)}
        </div>
      ))}
    </div>
  );
}) as <T>(props: RowProps<T>) => ReactNode;

interface HeadProps<T> {
  readonly column: Column<T>;
  readonly sort: string | undefined;
  readonly onSort: ((sort: string) => void) | undefined;
}

function Head<T>({ column, sort, onSort }: HeadProps<T>) {
  const { name, align, sort: by } = column;
  const text = (
    <Text size="xs" fw={600} c="dimmed" component="span">
      {name}
    </Text>
  );
  const common = { role: 'columnheader', className: classes.cell, 'data-align': align };
  if (by === undefined || onSort === undefined) return <div {...common}>{text}</div>;
  const isUp = sort === by;
  const isDown = sort === `-${by}`;
  const Icon = isUp ? IconArrowUp : isDown ? IconArrowDown : IconArrowsSort;
  return (
    <div {...common} aria-sort={isUp ? 'ascending' : isDown ? 'descending' : 'none'}>
      <UnstyledButton onClick={() => onSort(isUp ? `-${by}` : by)} className={classes.sort}>
        <Group gap={4} wrap="nowrap">
          {text}
          <Icon size={13} opacity={isUp || isDown ? 1 : 0.35} />
        </Group>
      </UnstyledButton>
    </div>
  );
}
