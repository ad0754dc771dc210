// One change of several hosts: its parameters, a preview of what happens to each host, and the progress.
import { Modal, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { BatchCourse } from '../../provider-traits/batch-course';
import { isOfService, TraitSelect } from '../../provider-traits/trait-select';
import { useBatch } from '../../provider-traits/use-batch';
import { useAnswer } from '../../service/questions';
import { useHostAggregateNames } from '../../service/registries';
import type { HostRow } from '../../service/reports';
import { useSession } from '../../session/session';
import type { BulkChange, BulkKind } from './bulk-change';
import { applyTo, previewOfBulk } from './bulk-change';

interface Props {
  readonly kind: BulkKind;
  readonly rows: readonly HostRow[];
  readonly close: () => void;
}

const TITLES: Readonly<Record<BulkKind, string>> = {
  disable: 'Disable hosts',
  enable: 'Enable hosts',
  trait: 'Set a trait on hosts',
  untrait: 'Remove a trait from hosts',
  aggregate: 'Add hosts to an aggregate',
  leave: 'Remove hosts from an aggregate',
};

export function BulkDialog({ kind, rows: given, close }: Props) {
  const service = useSession().service;
  // The rows of the list change while the batch runs.
  const [rows] = useState(given);
  const [value, setValue] = useState('');
  const change = changeOf(kind, value);
  const isOfTrait = kind === 'trait' || kind === 'untrait';
  const holders = useAnswer(
    'hosts',
    ['holders', value],
    ({ placement }, signal) => placement.providers.list({ required: [value] }, { signal }),
    { enabled: isOfTrait && value !== '' },
  );
  const preview =
    change === undefined || (isOfTrait && holders.data === undefined)
      ? undefined
      : previewOfBulk(rows, change, new Set(holders.data?.resource_providers.map(({ uuid }) => uuid)));
  const batch = useBatch();
  return (
    <Modal opened onClose={close} title={TITLES[kind]}>
      <Stack gap="sm">
        <Parameter kind={kind} value={value} isDisabled={batch.state !== 'idle'} onChange={setValue} />
        {preview !== undefined && change !== undefined && (
          <BatchCourse
            preview={preview}
            batch={batch}
            what="host"
            onDone={close}
            change={async ({ uuid }, signal) => {
              const row = rows.find((each) => each.uuid === uuid);
              return row === undefined ? 'already' : applyTo(row, change, service, signal);
            }}
          />
        )}
      </Stack>
    </Modal>
  );
}

function changeOf(kind: BulkKind, value: string): BulkChange | undefined {
  if (kind === 'enable') return { kind };
  if (kind === 'disable') return { kind, reason: value.trim() };
  if (value === '') return undefined;
  return kind === 'trait' || kind === 'untrait' ? { kind, trait: value } : { kind, uuid: value };
}

interface ParameterProps {
  readonly kind: BulkKind;
  readonly value: string;
  readonly isDisabled: boolean;
  readonly onChange: (value: string) => void;
}

function Parameter({ kind, value, isDisabled, onChange }: ParameterProps) {
  const aggregates = useHostAggregateNames({ isNeeded: kind === 'aggregate' || kind === 'leave' });
  if (kind === 'enable') return null;
  if (kind === 'disable') {
    return (
      <TextInput
        label="Reason"
        description="Their instances stay, and they accept no new ones. Explanations show the reason."
        value={value}
        maxLength={255}
        disabled={isDisabled}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        data-autofocus
      />
    );
  }
  if (kind === 'trait' || kind === 'untrait') {
    return (
      <TraitSelect
        label="Trait"
        value={value}
        onChange={onChange}
        isOffered={(trait) => kind === 'trait' || !isOfService(trait)}
        creates={kind === 'trait'}
        disabled={isDisabled}
        data-autofocus
      />
    );
  }
  return (
    <Select
      label="Host aggregate"
      data={aggregates.map(({ uuid, name }) => ({ value: uuid, label: name }))}
      value={value === '' ? null : value}
      onChange={(next) => onChange(next ?? '')}
      disabled={isDisabled}
      searchable
      limit={60}
      nothingFoundMessage="None of that name"
      data-autofocus
    />
  );
}
