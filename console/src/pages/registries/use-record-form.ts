// A form that creates or changes one record. A validation error is shown at the field that the service names. If
// another client changes the record meanwhile, the form keeps the user's input and shows a notice.
import { DuplicateName, InvalidRequest } from '@berth/client';
import { useForm } from '@mantine/form';
import { useState } from 'react';
import { useSession } from '../../session/session';
import { useUnsaved } from '../../shell/unsaved';
import { useChange } from '../../shown/use-change';
import type { FieldNames } from './field-fault';
import { errorAtField } from './field-fault';
import { twiceIn } from './pairs';
import type { RecordValues } from './record-values';
import { namesOf, save, undoOf, valuesOf } from './record-values';
import type { Recorded, RegistryDefinition } from './registry-definition';
import { titleOf } from './registry-definition';

/** `record`: its current state; undefined for a new record. */
export function useRecordForm<Row extends Recorded>(
  registry: RegistryDefinition<Row>,
  record: Row | undefined,
  onCreated: (made: Row) => void,
) {
  const client = useSession().service.scheduler;
  const [base, setBase] = useState(record);
  const form = useForm<RecordValues>({ initialValues: valuesOf(registry, record) });
  const isOutdated = record !== undefined && base !== undefined && record.generation > base.generation;
  const renew = (): void => {
    setBase(record);
    const values = valuesOf(registry, record);
    form.setInitialValues(values);
    form.setValues(values);
    form.resetDirty(values);
    form.clearErrors();
  };
  const isDirty = form.isDirty();
  useUnsaved(isDirty);
  if (isOutdated && !isDirty) renew();
  const saving = useChange({
    run: async (values: RecordValues) => ({ before: base, after: await save(registry, client, values, base) }),
    done: ({ before, after }) => {
      const warnings = (after.warnings ?? []).map(({ field, why }) => `${field} ${why}`);
      return {
        title: `${titleOf(registry, after)} is saved`,
        ...(warnings.length > 0 && { color: 'yellow', message: warnings.join('; ') }),
        undo: undoOf(registry, client, { before, after }),
      };
    },
  });
  const write = (values: RecordValues): void =>
    saving.mutate(values, {
      onSuccess: ({ before, after }) => {
        // The saved document is the new base; text typed since then is an unsaved change to that base.
        if (before !== undefined) setBase(after);
        form.resetDirty(values);
        if (before === undefined) onCreated(after);
      },
      onError: (error) => form.setErrors(errorsOf(error, namesOf(registry, values)) ?? {}),
    });
  const { error } = saving;
  const isAtField = error !== null && errorsOf(error, namesOf(registry, form.getValues())) !== undefined;
  const submit = form.onSubmit((values) => {
    const again = twiceIn(values.pairs);
    if (again === undefined) write(values);
    else form.setErrors({ [`pairs.${again}.key`]: 'is there already' });
  });
  return {
    form,
    submit,
    isBusy: saving.isPending,
    fault: error === null || isAtField ? undefined : error,
    /** Another client changed the record while the user filled in this form. */
    isOutdated: isOutdated && isDirty,
    renew,
  };
}

function errorsOf(error: Error, names: FieldNames): Record<string, string> | undefined {
  if (error instanceof DuplicateName) return { 'fields.name': error.detail };
  return error instanceof InvalidRequest ? errorAtField(error.detail, names) : undefined;
}
