// The page of a registry: its table, and a drawer with one record or the form of a new one.
import { Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { useSession } from '../../session/session';
import { CommandText } from '../../shown/copy-text';
import { OpenButton } from './open-button';
import { DeleteButton, NoRecord, RecordDrawer } from './record-drawer';
import { RecordForm } from './record-form';
import type { Recorded, RegistryDefinition } from './registry-definition';
import { titleOf } from './registry-definition';
import type { RegistryColumn } from './registry-table';
import { RegistryTable } from './registry-table';
import { useOpened } from './use-opened';

interface Props<Row extends Recorded> {
  readonly registry: RegistryDefinition<Row>;
  /** Content above the table. */
  readonly children?: ReactNode;
}

export function RegistryPage<Row extends Recorded>({ registry, children }: Props<Row>) {
  const { collection, one, keyOf, nameOf, columns, textOf, command, callsOf, below } = registry;
  const { may, service } = useSession();
  const question = registry.useRows();
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
        first={<CommandText command={command} />}
      >
        {children}
      </RegistryTable>
      <RecordDrawer title={isNew ? `New ${one}` : titleOf(registry, record)} isOpen={isOpen} close={close}>
        {isNew || record !== undefined ? (
          <Stack key={id} gap="lg">
            <RecordForm registry={registry} record={record} onCreated={(made) => open(keyOf(made))} />
            {record !== undefined && below(record)}
            {record !== undefined && may(`berth:scheduler:${collection}:delete`) && (
              <DeleteButton
                what={`${one} ${nameOf(record)}`}
                remove={() => callsOf(service.scheduler).delete(keyOf(record))}
                onRemoved={close}
              />
            )}
          </Stack>
        ) : (
          <NoRecord one={one} isKnown={question.data !== undefined} />
        )}
      </RecordDrawer>
    </>
  );
}
