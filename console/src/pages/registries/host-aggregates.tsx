// Host aggregates: their hosts and their metadata.
import { Alert, Group, Text } from '@mantine/core';
import type { HostAggregate } from '../../service/registries';
import { useHostAggregates } from '../../service/registries';
import { IconAlertTriangle } from '../../shown/icons';
import { Sentence } from '../../shown/sentence';
import { useAdvice } from '../overview/use-advice';
import { HostAggregateHosts } from './host-aggregate-hosts';
import { KeyChips } from './key-chips';
import { pairTexts } from './pairs';
import type { RegistryDefinition } from './registry-definition';
import { RegistryPage } from './registry-page';

export function HostAggregates() {
  const aggregates = useHostAggregates().data?.rows ?? [];
  const advice = (useAdvice().data?.advice ?? []).filter(({ kind }) => kind === 'isolation_key_missing');
  const missing = new Map(advice.flatMap(({ key }) => (key === null ? [] : [[key, withOpenHosts(aggregates, key)]])));
  return (
    <RegistryPage registry={hostAggregatesWith(missing)}>
      {advice.length > 0 && (
        <Alert
          color="orange"
          icon={<IconAlertTriangle />}
          title="Hosts that take every image, though a key keeps images apart"
          styles={{ title: { color: 'var(--mantine-color-text)' } }}
        >
          {advice.map(({ sentence }) => (
            <Sentence key={sentence} text={sentence} />
          ))}
        </Alert>
      )}
    </RegistryPage>
  );
}

/** Uuids of the aggregates with a host that no aggregate with the key has. */
function withOpenHosts(aggregates: readonly HostAggregate[], key: string): ReadonlySet<string> {
  const covered = new Set(aggregates.flatMap(({ metadata, hosts }) => (metadata[key] === undefined ? [] : hosts)));
  return new Set(aggregates.filter(({ hosts }) => hosts.some((host) => !covered.has(host))).map(({ uuid }) => uuid));
}

/** The zone has its own column and field. */
const withoutZone = ({ availability_zone: _zone, ...rest }: HostAggregate['metadata']): HostAggregate['metadata'] =>
  rest;

/** `missing`: for each key that isolates images, the aggregates with hosts without it. */
const hostAggregatesWith = (missing: ReadonlyMap<string, ReadonlySet<string>>): RegistryDefinition<HostAggregate> => ({
  collection: 'host_aggregates',
  one: 'host aggregate',
  keyOf: ({ uuid }) => uuid,
  nameOf: ({ name }) => name,
  useRows: useHostAggregates,
  callsOf: ({ hostAggregates }) => hostAggregates,
  columns: [
    { key: 'availability_zone', name: 'Zone', width: '140px', value: ({ availability_zone: zone }) => zone },
    { key: 'hosts', name: 'Hosts', width: '90px', align: 'right', value: ({ hosts }) => hosts.length },
    {
      key: 'metadata',
      name: 'Metadata',
      width: 'minmax(260px, 2fr)',
      value: ({ metadata }) => pairTexts(withoutZone(metadata)).join(' ') || null,
      cell: ({ uuid, metadata }) => {
        const rest = withoutZone(metadata);
        const lacks = [...missing].flatMap(([key, uuids]) => (uuids.has(uuid) ? [key] : []));
        return (
          <Group gap={4} wrap="nowrap">
            {(lacks.length === 0 || Object.keys(rest).length > 0) && <KeyChips record={rest} />}
            {lacks.map((key) => (
              // Dimmed: the notice above explains the consequence.
              <Text key={key} span size="xs" c="dimmed">
                {`no ${key}`}
              </Text>
            ))}
          </Group>
        );
      },
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
