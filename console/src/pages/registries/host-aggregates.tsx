// Host aggregates: their hosts and their metadata.
import { Group, Text } from '@mantine/core';
import { countText } from '../../shown/amount';
import { HostAggregateHosts } from './host-aggregate-hosts';
import type { IsolationGap } from './isolation-gaps';
import { IsolationNotice, useIsolationGaps } from './isolation-notice';
import { KeyChips } from './key-chips';
import { pairTexts } from './pairs';
import type { RegistryDefinition } from './registry-definition';
import { RegistryPage } from './registry-page';
import type { HostAggregate } from './use-registries';
import { useHostAggregates } from './use-registries';

export function HostAggregates() {
  const gaps = useIsolationGaps(useHostAggregates().data?.rows);
  return (
    <RegistryPage registry={hostAggregatesWith(gaps)}>
      <IsolationNotice gaps={gaps} />
    </RegistryPage>
  );
}

/** The zone has its own column and field. */
const withoutZone = ({ availability_zone: _zone, ...rest }: HostAggregate['metadata']): HostAggregate['metadata'] =>
  rest;

const hostAggregatesWith = (gaps: readonly IsolationGap[]): RegistryDefinition<HostAggregate> => ({
  collection: 'host_aggregates',
  one: 'host aggregate',
  keyOf: ({ uuid }) => uuid,
  nameOf: ({ name }) => name,
  useRows: useHostAggregates,
  callsOf: ({ hostAggregates }) => hostAggregates,
  columns: [
    {
      key: 'availability_zone',
      name: 'Zone',
      width: '140px',
      value: ({ availability_zone: zone }) => zone,
    },
    {
      key: 'hosts',
      name: 'Hosts',
      width: '90px',
      align: 'right',
      value: ({ hosts }) => hosts.length,
      cell: ({ hosts }) => countText(hosts.length),
    },
    {
      key: 'metadata',
      name: 'Metadata',
      width: 'minmax(260px, 2fr)',
      value: ({ metadata }) => pairTexts(withoutZone(metadata)).join(' ') || null,
      cell: (aggregate) => <Metadata aggregate={aggregate} gaps={gaps} />,
    },
  ],
  textOf: ({ name, uuid, metadata, hosts }) => [name, uuid, ...pairTexts(metadata), ...hosts].join(' '),
  command: 'openstack aggregate create --zone az1 --property ssd=true rack1',
  fields: [
    [
      { name: 'name', label: 'Name', kind: 'text', initial: '' },
      {
        name: 'availability_zone',
        label: 'Availability zone',
        kind: 'text',
        initial: '',
        isOptional: true,
        placeholder: 'None',
      },
    ],
  ],
  pairs: { field: 'metadata', legend: 'Metadata', read: ({ metadata }) => withoutZone(metadata) },
  below: (aggregate) => <HostAggregateHosts aggregate={aggregate} />,
});

interface MetadataProps {
  readonly aggregate: HostAggregate;
  readonly gaps: readonly IsolationGap[];
}

function Metadata({ aggregate: { uuid, metadata }, gaps }: MetadataProps) {
  const rest = withoutZone(metadata);
  const missing = gaps.filter(({ key, aggregates }) => metadata[key] === undefined && aggregates.includes(uuid));
  return (
    <Group gap={4} wrap="nowrap">
      {(missing.length === 0 || Object.keys(rest).length > 0) && <KeyChips record={rest} />}
      {missing.map(({ key }) => (
        // Dimmed: the notice above explains the consequence.
        <Text key={key} span size="xs" c="dimmed">
          {`no ${key}`}
        </Text>
      ))}
    </Group>
  );
}
