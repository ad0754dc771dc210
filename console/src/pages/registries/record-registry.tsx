// A registry whose records open at the side: its table, and the drawer with one of them, or with the form of a new one.
import type { ComponentType, ReactNode } from 'react';
import { Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { Whole } from '../../service/whole';
import { useSession } from '../../session/session';
import { OpenButton } from './open-button';
import { DeleteButton, NoRecord, RecordDrawer } from './record-drawer';
import type { RecordFormProps } from './record-form';
import { titleOf } from './record-kind';
import type { RecordKind } from './record-kind';
import { RegistryTable } from './registry-table';
import type { RegistryColumn } from './registry-table';
import { useOpened } from './use-opened';

interface Props<Row> {
  readonly kind: RecordKind<Row>;
  readonly question: UseQueryResult<Whole<Row>>;
  /** Behind the name, which opens the record. */
  readonly columns: readonly RegistryColumn<Row>[];
  /** What a search looks at. */
  readonly textOf: (row: Row) => string;
  /** How the first one is made, where there is none. */
  readonly first: ReactNode;
  /** What is said above the table. */
  readonly children?: ReactNode;
  /** Without a record that of a new one. */
  readonly Form: ComponentType<RecordFormProps<Row>>;
  /** What stands below the form of a record. */
  readonly below: (record: Row) => ReactNode;
  readonly remove: (record: Row) => Promise<unknown>;
}

export function RecordRegistry<Row>(props: Props<Row>) {
  const { kind, question, columns, textOf, first, children, Form, below, remove } = props;
  const { collection, one, keyOf, nameOf } = kind;
  const { may } = useSession();
  const { id, isNew, isOpen, open, create, close } = useOpened();
  const record = question.data?.rows.find((row) => keyOf(row) === id);
  const name: RegistryColumn<Row> = {
    key: 'name',
    name: 'Name',
    width: 'minmax(180px, 1fr)',
    value: nameOf,
    cell: (row) => <OpenButton name={nameOf(row)} open={() => open(keyOf(row))} />,
  };
  return (
    <>
      <RegistryTable
        question={question}
        one={one}
        columns={[name, ...columns]}
        keyOf={keyOf}
        textOf={textOf}
        create={may(`berth:scheduler:${collection}:create`) ? create : undefined}
        first={first}
      >
        {children}
      </RegistryTable>
      <RecordDrawer title={isNew ? `New ${one}` : titleOf(kind, record)} isOpen={isOpen} close={close}>
        {isNew || record !== undefined ? (
          <Stack key={id} gap="lg">
            <Form record={record} onCreated={(made) => open(keyOf(made))} />
            {record !== undefined && below(record)}
            {record !== undefined && may(`berth:scheduler:${collection}:delete`) && (
              <DeleteButton what={`${one} ${nameOf(record)}`} remove={() => remove(record)} onRemoved={close} />
            )}
          </Stack>
        ) : (
          <NoRecord one={one} isKnown={question.data !== undefined} />
        )}
      </RecordDrawer>
    </>
  );
}
