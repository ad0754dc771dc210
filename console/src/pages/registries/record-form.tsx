// The form of one record, new or there already: its fields, and below them what came of saving it.
import type { ReactNode } from 'react';
import { Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useSession } from '../../session/session';
import { IdText } from '../../shown/copy-text';
import { SaveBar } from './record-drawer';
import { titleOf } from './record-kind';
import type { RecordKind } from './record-kind';
import { useRecordForm } from './use-record-form';
import type { Recorded, RecordSettings, Written } from './use-record-form';

/** What a page is given of the record that its form is for. */
export interface RecordFormProps<Row> {
  readonly record: Row | undefined;
  readonly onCreated: (made: Row) => void;
}

interface Props<Row extends Recorded, V, W extends Row & Written>
  extends RecordFormProps<Row>, RecordSettings<Row, V, W> {
  readonly kind: RecordKind<Row>;
  readonly children: (form: UseFormReturnType<V>, isReadOnly: boolean) => ReactNode;
}

export function RecordForm<Row extends Recorded, V extends object, W extends Row & Written>({
  kind,
  onCreated,
  children,
  ...settings
}: Props<Row, V, W>) {
  const { record } = settings;
  const { may } = useSession();
  const isReadOnly = !may(`berth:scheduler:${kind.collection}:${record === undefined ? 'create' : 'update'}`);
  const { form, submit, ...bar } = useRecordForm({
    ...settings,
    onSaved: (saved) => {
      if (record === undefined) onCreated(saved);
    },
    saysSaved: (saved) => `${titleOf(kind, saved)} is saved`,
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {record !== undefined && <IdText id={kind.keyOf(record)} />}
        {children(form, isReadOnly)}
        {!isReadOnly && <SaveBar {...bar} isNew={record === undefined} />}
      </Stack>
    </form>
  );
}
