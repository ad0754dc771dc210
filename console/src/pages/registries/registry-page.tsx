// The page of a registry: its table, and a drawer with one record or the form of a new one.
import { Anchor, Button, Drawer, Stack } from '@mantine/core';
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useAddress } from '../../address/use-address';
import type { Whole } from '../../service/whole';
import { useSession } from '../../session/session';
import { CommandText } from '../../shown/copy-text';
import { EmptyState } from '../../shown/empty-state';
import { IconPlus } from '../../shown/icons';
import { ListTable } from '../../shown/list-table';
import { Waiting } from '../../shown/waiting';
import { DeleteButton } from './delete-button';
import { RecordForm } from './record-form';
import { undoOf } from './record-values';
import type { Recorded, RegistryDefinition } from './registry-definition';
import { titleOf } from './registry-definition';

/** In the address: the form of a new record. */
const NEW = 'new';

/** The name of a record in its row; it opens the drawer. */
export function OpenButton({ name, id }: { readonly name: string; readonly id: string }) {
  const { set } = useAddress();
  return (
    <Anchor component="button" type="button" size="sm" onClick={() => set({ open: id }, 'push')} title={name}>
      {name}
    </Anchor>
  );
}

interface Props<Row extends Recorded> {
  readonly registry: RegistryDefinition<Row>;
  /** Content above the table. */
  readonly children?: ReactNode;
}

export function RegistryPage<Row extends Recorded>({ registry, children }: Props<Row>) {
  const { collection, one, keyOf, nameOf, columns, textOf, command, callsOf, below } = registry;
  const { may, service } = useSession();
  const { get, set } = useAddress();
  const question = registry.useRows();
  return (
    <>
      <ListTable
        question={question}
        list={question.data}
        one={one}
        columns={[
          {
            key: 'name',
            name: 'Name',
            width: 'minmax(180px, 1fr)',
            value: nameOf,
            cell: (row) => <OpenButton name={nameOf(row)} id={keyOf(row)} />,
          },
          ...columns,
        ]}
        keyOf={keyOf}
        textOf={textOf}
        actions={
          may(`berth:scheduler:${collection}:create`) && (
            <Button leftSection={<IconPlus size={16} />} onClick={() => set({ open: NEW }, 'push')}>
              {`New ${one}`}
            </Button>
          )
        }
        empty={
          <EmptyState title={`No ${one} yet`}>
            <CommandText command={command} />
          </EmptyState>
        }
      >
        {children}
      </ListTable>
      <RecordDrawer question={question} keyOf={keyOf} one={one} titleOf={(row) => titleOf(registry, row)}>
        {(record) => (
          <Stack key={get('open')} gap="lg">
            <RecordForm registry={registry} record={record} onCreated={(made) => set({ open: keyOf(made) }, 'push')} />
            {record !== undefined && below(record)}
            {record !== undefined && may(`berth:scheduler:${collection}:delete`) && (
              <DeleteButton
                what={`${one} ${nameOf(record)}`}
                remove={() => callsOf(service.scheduler).delete(keyOf(record))}
                undo={undoOf(registry, service.scheduler, { before: record, after: undefined })}
                onRemoved={() => set({ open: undefined }, 'push')}
              />
            )}
          </Stack>
        )}
      </RecordDrawer>
    </>
  );
}

interface DrawerProps<Row> {
  readonly question: UseQueryResult<Whole<Row>>;
  readonly keyOf: (row: Row) => string;
  readonly one: string;
  readonly titleOf: (row: Row | undefined) => string;
  /** Undefined: a new record. */
  readonly children: (row: Row | undefined) => ReactNode;
}

/** The record that the address names. */
export function RecordDrawer<Row>({ question: { data }, keyOf, one, titleOf: title, children }: DrawerProps<Row>) {
  const { get, set } = useAddress();
  const id = get('open');
  const record = data?.rows.find((row) => keyOf(row) === id);
  return (
    <Drawer
      opened={id !== ''}
      onClose={() => set({ open: undefined }, 'push')}
      title={id === NEW ? `New ${one}` : title(record)}
      position="right"
      size="lg"
    >
      {id === NEW || record !== undefined ? (
        children(record)
      ) : data === undefined ? (
        <Waiting />
      ) : (
        <EmptyState title={`No such ${one}`}>It was removed, or its address is wrong.</EmptyState>
      )}
    </Drawer>
  );
}
