// The name, the zone and the metadata of a host aggregate.
import { Group, Stack, TextInput } from '@mantine/core';
import { useSession } from '../../session/session';
import { IdText } from '../../shown/copy-text';
import { changesBetween, pairsOf, recordOf } from './pairs';
import type { Pair } from './pairs';
import { PairsField } from './pairs-field';
import { SaveBar } from './record-drawer';
import { useRecordForm } from './use-record-form';
import type { HostAggregate } from './use-registries';

interface Props {
  readonly record: HostAggregate | undefined;
  readonly onCreated: (made: HostAggregate) => void;
}

interface Values {
  readonly name: string;
  readonly availability_zone: string;
  readonly pairs: Pair[];
}

export function HostAggregateForm({ record, onCreated }: Props) {
  const { service, may } = useSession();
  const { hostAggregates } = service.scheduler;
  const isReadOnly = !may(`berth:scheduler:host_aggregates:${record === undefined ? 'create' : 'update'}`);
  const { form, submit, ...bar } = useRecordForm({
    record,
    valuesOf,
    namesOf,
    save: ({ name, availability_zone: zone, pairs }, base) => {
      const availabilityZone = zone.trim() === '' ? null : zone.trim();
      const metadata = recordOf(pairs);
      if (base === undefined) return hostAggregates.create({ name, availability_zone: availabilityZone, metadata });
      return hostAggregates.change(base.uuid, {
        generation: base.generation,
        name,
        ...(availabilityZone !== base.availability_zone && { availability_zone: availabilityZone }),
        metadata: changesBetween(metadataOf(base), metadata),
      });
    },
    onSaved: (saved) => {
      if (record === undefined) onCreated(saved);
    },
    saysSaved: ({ name }) => `Host aggregate ${name} is saved`,
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="sm">
        {record !== undefined && <IdText id={record.uuid} />}
        <Group grow align="flex-start">
          <TextInput label="Name" readOnly={isReadOnly} data-autofocus {...form.getInputProps('name')} />
          <TextInput
            label="Availability zone"
            placeholder="None"
            readOnly={isReadOnly}
            {...form.getInputProps('availability_zone')}
          />
        </Group>
        <PairsField
          legend="Metadata"
          pairs={form.values.pairs}
          onChange={(pairs) => form.setFieldValue('pairs', pairs)}
          errors={form.errors}
          isReadOnly={isReadOnly}
        />
        {!isReadOnly && <SaveBar {...bar} isNew={record === undefined} />}
      </Stack>
    </form>
  );
}

const metadataOf = ({ metadata }: HostAggregate): Record<string, string> => {
  const { availability_zone: _zone, ...rest } = metadata;
  return rest;
};

const valuesOf = (record: HostAggregate | undefined): Values => ({
  name: record?.name ?? '',
  availability_zone: record?.availability_zone ?? '',
  pairs: record === undefined ? [] : pairsOf(metadataOf(record)),
});

const namesOf = ({ pairs }: Values) => ({
  fields: ['name', 'availability_zone'],
  pairs: { field: 'metadata', keys: pairs.map(({ key }) => key.trim()) },
});
