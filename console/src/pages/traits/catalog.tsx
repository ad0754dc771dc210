// The frame of both catalogs: filter, CSV export, creation of a custom entry, table.
import { Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import type { Address } from '../../address/use-address';
import { Answered } from '../../shown/answered';
import type { Cell } from '../../shown/csv';
import type { Column } from '../../shown/data-table';
import { DataTable } from '../../shown/data-table';
import { EmptyState } from '../../shown/empty-state';
import { CsvButton } from '../../shown/save-buttons';
import { CatalogFilter } from './catalog-filter';

interface Props<Row, Answer> {
  readonly address: Address;
  /** For example `Traits`. */
  readonly label: string;
  /** For example `trait`; used if no row matches. */
  readonly one: string;
  readonly question: UseQueryResult<Answer>;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly sort: string;
  readonly csv: { readonly columns: readonly string[]; readonly row: (row: Row) => readonly Cell[] };
  /** The control that creates a custom entry; absent if the user is not permitted to. */
  readonly make: ReactNode;
}

export function Catalog<Row extends { readonly name: string }, Answer>(props: Props<Row, Answer>) {
  const { address, label, one, question, columns, rows, sort, csv, make } = props;
  return (
    <Stack gap="sm">
      <CatalogFilter
        address={address}
        actions={
          <>
            <CsvButton
              name={label.toLowerCase().replaceAll(' ', '-')}
              columns={csv.columns}
              rows={() => rows.map(csv.row)}
            />
            {make}
          </>
        }
      />
      <Answered question={question}>
        {() => (
          <DataTable
            label={label}
            columns={columns}
            rows={rows}
            keyOf={({ name }) => name}
            sort={sort}
            onSort={(next) => address.set({ sort: next })}
            empty={
              <EmptyState title={`No ${one} matches`}>Search for another part of the name, or show all.</EmptyState>
            }
          />
        )}
      </Answered>
    </Stack>
  );
}
