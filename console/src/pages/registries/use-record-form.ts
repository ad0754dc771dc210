// A form that makes or changes one record. Refusals stand at the field that the service names; when somebody else
// changed the record meanwhile, what was typed stays and the form says so.
import { useState } from 'react';
import { useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { DuplicateName, InvalidRequest } from '@berth/client';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { QueryClient } from '@tanstack/react-query';
import { fieldNamedBy, formPathOf } from './field-fault';
import type { FieldNames } from './field-fault';
import { twiceIn } from './pairs';
import type { Pair } from './pairs';

export interface Recorded {
  readonly generation: number;
}

export interface Written extends Recorded {
  readonly warnings?: readonly { readonly field: string; readonly why: string }[];
}

export interface RecordSettings<T extends Recorded, V, W extends T & Written> {
  /** As it is now; undefined for one that is yet to be made. */
  readonly record: T | undefined;
  readonly valuesOf: (record: T | undefined) => V;
  readonly namesOf: (values: V) => FieldNames;
  /** `base` is what the form was filled from. */
  readonly save: (values: V, base: T | undefined) => Promise<W>;
}

interface Settings<T extends Recorded, V, W extends T & Written> extends RecordSettings<T, V, W> {
  readonly onSaved: (written: W) => void;
  /** `Flavor m1.small is saved`. */
  readonly saysSaved: (written: W) => string;
}

export function useRecordForm<T extends Recorded, V extends object, W extends T & Written>(
  settings: Settings<T, V, W>,
) {
  const { record, valuesOf, namesOf, save, onSaved, saysSaved } = settings;
  const queries = useQueryClient();
  const [base, setBase] = useState(record);
  const form = useForm<V>({ initialValues: valuesOf(record) });
  const isBehind = record !== undefined && base !== undefined && record.generation > base.generation;
  const renew = (): void => {
    setBase(record);
    const values = valuesOf(record);
    form.setInitialValues(values);
    form.setValues(values);
    form.resetDirty(values);
    form.clearErrors();
  };
  const isDirty = form.isDirty();
  if (isBehind && !isDirty) renew();
  const saving = useMutation({
    mutationFn: (values: V) => save(values, base),
    onSuccess: (written, values) => {
      // What was saved is what is there; what was typed since is yet to be saved, upon that.
      if (base !== undefined) setBase(written);
      form.resetDirty(values);
      saySaved(saysSaved(written), written);
      onSaved(written);
    },
    onError: (error, values) => {
      const at = errorsOf(error, namesOf(values));
      if (at !== undefined) form.setErrors(at);
    },
    onSettled: () => refreshRegistries(queries),
  });
  const { error } = saving;
  const isAtField = error !== null && errorsOf(error, namesOf(form.getValues())) !== undefined;
  const submit = form.onSubmit((values) => {
    const again = twiceIn((values as { readonly pairs?: readonly Pair[] }).pairs ?? []);
    if (again === undefined) saving.mutate(values);
    else form.setErrors({ [`pairs.${again}.key`]: 'is there already' });
  });
  return {
    form,
    submit,
    isBusy: saving.isPending,
    fault: error === null || isAtField ? undefined : error,
    /** Somebody changed the record while this form was being filled in. */
    isBehind: isBehind && isDirty,
    renew,
  };
}

/** Everything that a registry's change shows in. */
export async function refreshRegistries(queries: QueryClient): Promise<void> {
  await Promise.all(['registries', 'slow', 'hosts'].map((topic) => queries.invalidateQueries({ queryKey: [topic] })));
}

function errorsOf(error: Error, names: FieldNames): Record<string, string> | undefined {
  if (error instanceof DuplicateName) return { name: error.detail };
  if (!(error instanceof InvalidRequest)) return undefined;
  const named = fieldNamedBy(error.detail);
  const path = named && formPathOf(named, names);
  return named === undefined || path === undefined ? undefined : { [path]: named.says };
}

function saySaved(title: string, { warnings = [] }: Written): void {
  const [first] = warnings;
  if (first === undefined) notifications.show({ color: 'teal', title, message: undefined });
  for (const { field, why } of warnings) {
    notifications.show({
      color: 'yellow',
      title,
      message: `${field} ${why}`,
      autoClose: 10_000,
    });
  }
}
