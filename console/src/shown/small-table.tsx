// A table of a few rows. The first column is the head of its row.
import { Table } from '@mantine/core';
import type { Column } from './data-table';

interface Props<T> {
  readonly label: string;
  readonly columns: readonly Column<T>[];
  readonly rows: readonly T[];
  readonly keyOf: (row: T, at: number) => string;
  /** In a narrower container the table scrolls. */
  readonly minWidth?: number;
  readonly hasHead?: boolean;
}

export function SmallTable<T>({ label, columns, rows, keyOf, minWidth = 0, hasHead = true }: Props<T>) {
  return (
    <Table.ScrollContainer minWidth={minWidth} type="native">
      <Table aria-label={label} className="numbers" verticalSpacing={4} horizontalSpacing="xs" lh={1.3}>
        {hasHead && (
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ key, name, align, width }) => (
                <Table.Th key={key} ta={align} w={width}>
                  {name}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
        )}
        <Table.Tbody>
          {rows.map((row, at) => (
            <Table.Tr key={keyOf(row, at)}>
              {columns.map(({ key, cell, align, width }, place) =>
                place === 0 ? (
                  <Table.Th key={key} scope="row" ta={align} miw={width} fw={500} style={{ overflowWrap: 'anywhere' }}>
                    {cell(row)}
                  </Table.Th>
                ) : (
                  <Table.Td key={key} ta={align} miw={width}>
                    {cell(row)}
                  </Table.Td>
                ),
              )}
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  );
}
