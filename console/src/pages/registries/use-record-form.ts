// A form that creates or changes one record. A validation error is shown at the field that the service names. If
// another client changes the record meanwhile, the form keeps the user's input and shows a notice.
import { DuplicateName, InvalidRequest } from '@berth/client';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../session/session';
import { useUnsaved } from '../../shell/unsaved';
import { REGISTRY_TOPICS } from '../../shown/use-change';
import type { FieldNames } from './field-fault';
import { errorAtField } from './field-fault';
import { twiceIn } from './pairs';
import type { RecordValues } from './record-values';
import { namesOf, save, valuesOf } from './record-values';
import type { Recorded, RegistryDefinition, Written } from './registry-definition';
import { titleOf } from './registry-definition';

/** `record`: its current state; undefined for a new record. */
export function useRecordForm<Row extends Recorded>(
  registry: RegistryDefinition<Row>,
  record: Row | undefined,
  onCreated: (made: Row) => void,
) {
  const client = useSession().service.scheduler;
  const queries = useQueryClient();
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
  const saving = useMutation({
    mutationFn: (values: RecordValues) => save(registry, client, values, base),
    onSuccess: (written, values) => {
      // The saved document is the new base; text typed since then is an unsaved change to that base.
      if (base !== undefined) setBase(written);
      form.resetDirty(values);
      notifySaved(`${titleOf(registry, written)} is saved`, written);
      if (record === undefined) onCreated(written);
    },
    onError: (error, values) => form.setErrors(errorsOf(error, namesOf(registry, values)) ?? {}),
    onSettled: () => Promise.all(REGISTRY_TOPICS.map((topic) => queries.invalidateQueries({ queryKey: [topic] }))),
  });
  const { error } = saving;
  const isAtField = error !== null && errorsOf(error, namesOf(registry, form.getValues())) !== undefined;
  const submit = form.onSubmit((values) => {
    const again = twiceIn(values.pairs);
    if (again === undefined) saving.mutate(values);
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

function notifySaved(title: string, { warnings = [] }: Written): void {
  if (warnings.length === 0) notifications.show({ color: 'teal', title, message: undefined });
  for (const { field, why } of warnings) {
    notifications.show({ color: 'yellow', title, message: `${field} ${why}`, autoClose: 10_000 });
  }
}
