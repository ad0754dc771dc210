// One change of several hosts: its parameters, a preview of what happens to each host, and the progress.
import { Alert, Button, Group, Modal, Progress, Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Preview } from '../../provider-traits/batch';
import { countsOf } from '../../provider-traits/batch';
import { useHostAggregateNames, useTraitNames } from '../../service/names';
import { useAnswer } from '../../service/questions';
import type { HostRow } from '../../service/reports';
import { countOf, countText } from '../../shown/amount';
import type { BulkChange, BulkKind } from './bulk-change';
import { previewOfBulk } from './bulk-change';
import { useBulk } from './use-bulk';

interface Props {
  readonly kind: BulkKind;
  readonly rows: readonly HostRow[];
  readonly close: () => void;
}

const TITLES: Readonly<Record<BulkKind, string>> = {
  disable: 'Disable hosts',
  enable: 'Enable hosts',
  trait: 'Set a trait on hosts',
  aggregate: 'Add hosts to an aggregate',
};

export function BulkDialog({ kind, rows: given, close }: Props) {
  // The rows of the list change while the batch runs; the preview stays that of its start.
  const [rows] = useState(given);
  const [value, setValue] = useState('');
  const change = changeOf(kind, value);
  const holders = useAnswer(
    'hosts',
    ['holders', value],
    ({ placement }, signal) => placement.providers.list({ required: [value] }, { signal }),
    { enabled: kind === 'trait' && value !== '' },
  );
  const isKnown = kind !== 'trait' || holders.data !== undefined;
  const preview =
    change === undefined || !isKnown
      ? undefined
      : previewOfBulk(rows, change, new Set(holders.data?.resource_providers.map(({ uuid }) => uuid)));
  const bulk = useBulk(rows);
  return (
    <Modal
      opened
      onClose={close}
      title={TITLES[kind]}
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <Stack gap="sm">
        <Parameter kind={kind} value={value} isDisabled={bulk.state !== 'idle'} onChange={setValue} />
        {preview !== undefined && change !== undefined && <Course preview={preview} change={change} bulk={bulk} />}
      </Stack>
    </Modal>
  );
}

function changeOf(kind: BulkKind, value: string): BulkChange | undefined {
  if (kind === 'enable') return { kind };
  if (kind === 'disable') return { kind, reason: value.trim() };
  if (value === '') return undefined;
  return kind === 'trait' ? { kind, trait: value } : { kind, uuid: value };
}

interface ParameterProps {
  readonly kind: BulkKind;
  readonly value: string;
  readonly isDisabled: boolean;
  readonly onChange: (value: string) => void;
}

function Parameter({ kind, value, isDisabled, onChange }: ParameterProps) {
  const traits = useTraitNames({ isNeeded: kind === 'trait' });
  const aggregates = useHostAggregateNames({ isNeeded: kind === 'aggregate' });
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
  return (
    <Select
      label={kind === 'trait' ? 'Trait' : 'Host aggregate'}
      data={kind === 'trait' ? [...traits] : aggregates.map(({ uuid, name }) => ({ value: uuid, label: name }))}
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

interface CourseProps {
  readonly preview: Preview;
  readonly change: BulkChange;
  readonly bulk: ReturnType<typeof useBulk>;
}

function Course({ preview, change, bulk: { state, outcomes, start, stop } }: CourseProps) {
  const { changes, already, cannot } = preview;
  const { done, already: overtaken, conflicts, failed, left } = countsOf(preview, outcomes);
  const tried = done + overtaken + conflicts + failed;
  const faults = changes.flatMap(({ uuid, name }) => {
    const outcome = outcomes.get(uuid);
    return outcome !== undefined && 'message' in outcome ? [`${name}: ${outcome.message}`] : [];
  });
  return (
    <>
      <Text size="sm" aria-live="polite">
        {state === 'idle'
          ? planText(preview)
          : `${countText(tried)} of ${countOf(changes.length, 'host')} tried, ${countText(done)} changed`}
      </Text>
      {changes.length > 0 && (
        <Text size="xs" c="dimmed" lineClamp={4}>
          {changes.map(({ name }) => name).join(', ')}
        </Text>
      )}
      {state === 'idle' && already.length > 0 && (
        <Text size="xs" c="dimmed" lineClamp={2}>
          {`No change needed: ${already.map(({ name }) => name).join(', ')}`}
        </Text>
      )}
      {cannot.map(({ name, reason }) => (
        <Text key={name} size="xs" c="dimmed">{`${name}: ${reason}`}</Text>
      ))}
      {state !== 'idle' && (
        <Progress value={(tried / Math.max(1, changes.length)) * 100} color="teal.8" aria-label="Tried" />
      )}
      {faults.length > 0 && (
        <Alert
          color="red"
          variant="light"
          p="xs"
          title={countOf(faults.length, 'host was not changed', 'hosts were not changed')}
        >
          {faults.slice(0, 8).map((fault) => (
            <Text key={fault} size="sm" style={{ overflowWrap: 'anywhere' }}>
              {fault}
            </Text>
          ))}
        </Alert>
      )}
      <Group>
        {state === 'running' ? (
          <Button size="sm" color="red" onClick={stop}>
            Stop
          </Button>
        ) : (
          left.length > 0 && (
            <Button size="sm" onClick={() => start(left, change)}>
              {`Change ${countOf(left.length, 'host')}`}
            </Button>
          )
        )}
      </Group>
    </>
  );
}

const planText = ({ changes, already, cannot }: Preview): string =>
  [
    `${countOf(changes.length, 'host')} will change`,
    ...(already.length > 0 ? [`${countText(already.length)} already as wanted`] : []),
    ...(cannot.length > 0 ? [`${countText(cannot.length)} cannot change`] : []),
  ].join(', ');
