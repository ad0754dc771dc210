// One registry as a table with search, count, sorting, CSV export and a hint for the first entry.
import { Button, Group, Stack, Text } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useAddress } from '../../address/use-address';
import type { Whole } from '../../service/whole';
import { countOf } from '../../shown/amount';
import { Answered } from '../../shown/answered';
import type { Cell } from '../../shown/csv';
import type { Column } from '../../shown/data-table';
import { DataTable } from '../../shown/data-table';
import { EmptyState } from '../../shown/empty-state';
import { IconPlus } from '../../shown/icons';
import { CsvButton } from '../../shown/save-buttons';
import type { SortValue } from './rows';
import { found, sorted } from './rows';
import { SearchField } from './search-field';

export interface RegistryColumn<T> extends Omit<Column<T>, 'sort' | 'cell'> {
  /** If absent, the cell shows the value. */
  readonly cell?: Column<T>['cell'];
  /** The sort value, also the CSV value unless `csv` is set; `csv: false` leaves the column out of files. */
  readonly value: (row: T) => SortValue;
  readonly csv?: ((row: T) => Cell) | false;
}

interface Props<T> {
  readonly question: UseQueryResult<Whole<T>>;
  /** For example `host aggregate`. */
  readonly one: string;
  readonly many?: string;
  readonly columns: readonly RegistryColumn<T>[];
  readonly keyOf: (row: T) => string;
  /** The text that a search matches. */
  readonly textOf: (row: T) => string;
  /** How to create the first entry; shown in an empty table. */
  readonly first: ReactNode;
  /** Absent if the user is not permitted to create entries, or entries cannot be created. */
  readonly create?: (() => void) | undefined;
  readonly children?: ReactNode;
}

export function RegistryTable<T>(props: Props<T>) {
  const { question, one, many = `${one}s`, columns, keyOf, textOf, first, create, children } = props;
  const address = useAddress();
  const q = address.get('q');
  const sort = address.get('sort');
  const by = columns.find(({ key }) => key === sort.replace(/^-/, ''));
  const all = question.data?.rows ?? [];
  const matching = found(all, textOf, q);
  const rows = by === undefined ? matching : sorted(matching, by.value, sort.startsWith('-'));
  const shown = columns.map((column): Column<T> => ({
    ...column,
    cell: column.cell ?? ((row) => column.value(row) ?? '–'),
    sort: column.key,
  }));
  const saved = columns.flatMap(({ key, csv, value }) => (csv === false ? [] : [{ key, cell: csv ?? value }]));
  return (
    <Stack gap="sm">
      <Group justify="space-between" gap="xs">
        <Group gap="sm">
          <SearchField label={`Search ${many}`} />
          {question.data !== undefined && (
            <Text size="sm" c="dimmed" aria-live="polite">
              {q === '' ? countOf(all.length, one, many) : `${rows.length} of ${countOf(all.length, one, many)}`}
              {question.data.isCut && ', and more than are read here'}
            </Text>
          )}
        </Group>
        <Group gap="xs">
          <CsvButton
            name={many.replaceAll(' ', '-')}
            columns={saved.map(({ key }) => key)}
            rows={() => rows.map((row) => saved.map(({ cell }) => cell(row)))}
          />
          {create !== undefined && (
            <Button size="xs" leftSection={<IconPlus size={16} aria-hidden />} onClick={create}>
              {`New ${one}`}
            </Button>
          )}
        </Group>
      </Group>
      {children}
      <Answered question={question}>
        {() => (
          <DataTable
            label={many}
            columns={shown}
            rows={rows}
            keyOf={keyOf}
            sort={sort}
            onSort={(next) => address.set({ sort: next })}
            height="max(320px, calc(100vh - 330px))"
            empty={
              all.length === 0 ? (
                <EmptyState title={`No ${one} yet`}>{first}</EmptyState>
              ) : (
                <EmptyState
                  title={`No ${one} matches`}
                  action={
                    <Button size="xs" variant="default" onClick={() => address.set({ q: undefined })}>
                      Show all
                    </Button>
                  }
                />
              )
            }
          />
        )}
      </Answered>
    </Stack>
  );
}
