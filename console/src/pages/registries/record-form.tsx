// The form of a new or existing record: its fields and the result of saving.
import { Alert, Button, Group, NumberInput, Select, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useSession } from '../../session/session';
import { IdText } from '../../shown/copy-text';
import { FaultNotice } from '../../shown/fault-notice';
import { PairsField } from './pairs-field';
import type { RecordValues } from './record-values';
import type { Field, Recorded, RegistryDefinition } from './registry-definition';
import { useRecordForm } from './use-record-form';

interface Props<Row extends Recorded> {
  readonly registry: RegistryDefinition<Row>;
  /** Undefined for a new record. */
  readonly record: Row | undefined;
  readonly onCreated: (made: Row) => void;
}

export function RecordForm<Row extends Recorded>({ registry, record, onCreated }: Props<Row>) {
  const { collection, fields, pairs, keyOf } = registry;
  const { may } = useSession();
  const isReadOnly = !may(`berth:scheduler:${collection}:${record === undefined ? 'create' : 'update'}`);
  const { form, submit, isBusy, fault, isOutdated, renew } = useRecordForm(registry, record, onCreated);
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {record !== undefined && <IdText id={keyOf(record)} />}
        {fields.map((row) => {
          const isEnlarged = row.every(({ width }) => width === undefined);
          const shown = row.filter(({ isShown }) => isShown?.(form.values.fields) ?? true);
          return (
            <Group key={row[0]?.name} grow={isEnlarged} align="flex-start" gap={isEnlarged ? 'md' : 'sm'}>
              {shown.map((field) => (
                <RecordField key={field.name} {...{ field, form, record, isReadOnly }} />
              ))}
            </Group>
          );
        })}
        {pairs !== undefined && (
          <PairsField legend={pairs.legend} hint={pairs.hint} form={form} isReadOnly={isReadOnly} />
        )}
        {isOutdated && (
          <Alert color="yellow" p="xs" role="status">
            <Group justify="space-between" gap="xs">
              <Text>The record was changed while you edited it.</Text>
              <Button size="compact-xs" variant="default" onClick={renew}>
                Load what is there now
              </Button>
            </Group>
          </Alert>
        )}
        {fault !== undefined && <FaultNotice error={fault} />}
        {!isReadOnly && (
          <Group>
            <Button type="submit" size="sm" loading={isBusy}>
              {record === undefined ? 'Create' : 'Save'}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

interface FieldProps<Row> {
  readonly field: Field<Row>;
  readonly form: UseFormReturnType<RecordValues>;
  readonly record: Row | undefined;
  readonly isReadOnly: boolean;
}

function RecordField<Row>({ field, form, record, isReadOnly }: FieldProps<Row>) {
  const { name, label, kind, placeholder, isOptional = false, isFixed, choices = [], min, width } = field;
  const isHeld = record !== undefined && isFixed?.(record) === true;
  const value = form.values.fields[name];
  const common = {
    label,
    placeholder,
    readOnly: isReadOnly || isHeld,
    size: 'sm',
    ...form.getInputProps(`fields.${name}`),
  };
  if (kind === 'number') return <NumberInput {...common} min={min} w={width} allowDecimal={false} />;
  if (kind === 'text') return <TextInput {...common} data-autofocus={name === 'name' || undefined} />;
  return (
    <Select
      {...common}
      data={[...new Set(typeof value === 'string' ? [...choices, value] : choices)]}
      clearable={isOptional && !isReadOnly}
      allowDeselect={isOptional}
      description={isHeld && !isReadOnly ? 'Fixed while there are members.' : undefined}
    />
  );
}
