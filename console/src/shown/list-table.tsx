// A whole list as a table, with search, count, sorting and a CSV file; search and order are in the address.
import { Group, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useAddress } from '../address/use-address';
import type { Whole } from '../service/whole';
import { countOf, countText } from './amount';
import { Answered } from './answered';
import type { Cell } from './csv';
import { Cut } from './cut';
import type { Column } from './data-table';
import { DataTable } from './data-table';
import { NoneMatches } from './empty-state';
import type { SortValue } from './rows';
import { found, sorted } from './rows';
import type { Fields } from './save-buttons';
import { CsvButton } from './save-buttons';
import { TypedFilter } from './text-filters';

export interface ListColumn<T> extends Omit<Column<T>, 'sort' | 'cell'> {
  /** If absent, the cell shows the value. */
  readonly cell?: Column<T>['cell'];
  /** The value to sort by, also that of the CSV file; absent if the column has neither. */
  readonly value?: (row: T) => SortValue;
  readonly csv?: (row: T) => Cell;
}

interface Props<T> {
  readonly question: UseQueryResult<unknown>;
  readonly list: Whole<T> | undefined;
  /** For example `host aggregate`. */
  readonly one: string;
  readonly many?: string;
  /** The table's accessible name; `many` if absent. */
  readonly label?: string;
  /** Of the CSV file, without the ending; `many` if absent. */
  readonly fileName?: string;
  readonly columns: readonly ListColumn<T>[];
  /** The columns of the CSV file; without them it has those of the table with their values. */
  readonly fields?: Fields<T>;
  readonly keyOf: (row: T) => string;
  /** The text that a search matches. */
  readonly textOf: (row: T) => string;
  /** As in the address: a column, with a leading `-` if descending. */
  readonly defaultSort?: string;
  /** Next to the search. */
  readonly filters?: ReactNode;
  readonly actions?: ReactNode;
  /** Shown if the list has no rows. */
  readonly empty?: ReactNode;
  readonly children?: ReactNode;
}

export function ListTable<T>(props: Props<T>) {
  const { question, list, one, many = `${one}s`, columns, keyOf, textOf, defaultSort = '' } = props;
  const address = useAddress();
  const q = address.get('q');
  const sort = address.get('sort') || defaultSort;
  const by = sortOf(columns, sort);
  const all = list?.rows ?? [];
  const matching = found(all, textOf, q);
  const rows = by === undefined ? matching : sorted(matching, by, sort.startsWith('-'));
  const clear = (): void => address.set({ q: undefined, kind: undefined });
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Group gap="sm">
          <TypedFilter
            address={address}
            name="q"
            aria-label={`Search ${many}`}
            placeholder={`Search ${many}`}
            w={260}
            maw="100%"
          />
          {props.filters}
          {list !== undefined && (
            <Text c="dimmed" aria-live="polite">
              {rows.length === all.length ? '' : `${rows.length} of `}
              {countOf(all.length, one, many)}
              {list.isCut && ', and more than are read here'}
            </Text>
          )}
        </Group>
        <Group gap="xs">
          <CsvButton
            name={props.fileName ?? many.replaceAll(' ', '-')}
            fields={props.fields ?? fieldsOf(columns)}
            rows={() => rows}
          />
          {props.actions}
        </Group>
      </Group>
      {props.children}
      <Answered question={question}>
        {() => (
          <DataTable
            label={props.label ?? many}
            columns={sortableColumns(columns)}
            rows={rows}
            keyOf={keyOf}
            sort={sort}
            onSort={(next) => address.set({ sort: next })}
            height="max(320px, calc(100vh - 330px))"
            empty={
              all.length === 0 && props.empty !== undefined ? props.empty : <NoneMatches one={one} clear={clear} />
            }
          />
        )}
      </Answered>
    </Stack>
  );
}

/** The value that `sort` names, as in the address. */
export const sortOf = <T,>(columns: readonly ListColumn<T>[], sort: string): ListColumn<T>['value'] =>
  columns.find(({ key }) => key === sort.replace(/^-/, ''))?.value;

export const sortableColumns = <T,>(columns: readonly ListColumn<T>[]): readonly Column<T>[] =>
  columns.map(({ value, csv: _csv, ...column }) => ({
    cell: (row) => <Cut text={textOfValue(value?.(row) ?? null)} />,
    ...column,
    ...(value !== undefined && { sort: column.key }),
  }));

const textOfValue = (value: SortValue): string =>
  value === null ? '–' : typeof value === 'number' ? countText(value) : value;

const fieldsOf = <T,>(columns: readonly ListColumn<T>[]): Fields<T> =>
  Object.fromEntries(columns.flatMap(({ key, value, csv = value }) => (csv === undefined ? [] : [[key, csv]])));
