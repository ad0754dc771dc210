// The name, the zone and the metadata of a host aggregate.
import { Group, TextInput } from '@mantine/core';
import { useSession } from '../../session/session';
import { changesBetween, pairsOf, recordOf } from './pairs';
import type { Pair } from './pairs';
import { PairsField } from './pairs-field';
import { RecordForm } from './record-form';
import type { RecordFormProps } from './record-form';
import type { RecordKind } from './record-kind';
import type { HostAggregate } from './use-registries';

export const HOST_AGGREGATES: RecordKind<HostAggregate> = {
  collection: 'host_aggregates',
  one: 'host aggregate',
  keyOf: ({ uuid }) => uuid,
  nameOf: ({ name }) => name,
};

interface Values {
  readonly name: string;
  readonly availability_zone: string;
  readonly pairs: Pair[];
}

export function HostAggregateForm(props: RecordFormProps<HostAggregate>) {
  const { hostAggregates } = useSession().service.scheduler;
  return (
    <RecordForm
      kind={HOST_AGGREGATES}
      {...props}
      valuesOf={valuesOf}
      namesOf={namesOf}
      save={({ name, availability_zone: zone, pairs }, base) => {
        const availabilityZone = zone.trim() === '' ? null : zone.trim();
        const metadata = recordOf(pairs);
        if (base === undefined) return hostAggregates.create({ name, availability_zone: availabilityZone, metadata });
        return hostAggregates.change(base.uuid, {
          generation: base.generation,
          name,
          ...(availabilityZone !== base.availability_zone && { availability_zone: availabilityZone }),
          metadata: changesBetween(metadataOf(base), metadata),
        });
      }}
    >
      {(form, isReadOnly) => (
        <>
          <Group grow align="flex-start">
            <TextInput label="Name" readOnly={isReadOnly} data-autofocus {...form.getInputProps('name')} />
            <TextInput
              label="Availability zone"
              placeholder="None"
              readOnly={isReadOnly}
              {...form.getInputProps('availability_zone')}
            />
          </Group>
          <PairsField legend="Metadata" form={form} isReadOnly={isReadOnly} />
        </>
      )}
    </RecordForm>
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
