// Host aggregates: which hosts belong together, and what their metadata says of them.
import { Group, Text } from '@mantine/core';
import { useSession } from '../../session/session';
import { countText } from '../../shown/amount';
import { CommandText } from '../../shown/copy-text';
import { HOST_AGGREGATES, HostAggregateForm } from './host-aggregate-form';
import { HostAggregateHosts } from './host-aggregate-hosts';
import { IsolationNotice, useIsolationGaps } from './isolation-notice';
import type { IsolationGap } from './isolation-gaps';
import { KeyChips } from './key-chips';
import { pairTexts } from './pairs';
import { RecordRegistry } from './record-registry';
import type { RegistryColumn } from './registry-table';
import { useHostAggregates } from './use-registries';
import type { HostAggregate } from './use-registries';

export function HostAggregates() {
  const { hostAggregates } = useSession().service.scheduler;
  const question = useHostAggregates();
  const gaps = useIsolationGaps(question.data?.rows);
  return (
    <RecordRegistry
      kind={HOST_AGGREGATES}
      question={question}
      columns={columnsFor(gaps)}
      textOf={({ name, uuid, metadata, hosts }) => [name, uuid, ...pairTexts(metadata), ...hosts].join(' ')}
      first={<CommandText command="openstack aggregate create --zone az1 --property ssd=true rack1" />}
      Form={HostAggregateForm}
      below={(aggregate) => <HostAggregateHosts aggregate={aggregate} />}
      remove={({ uuid }) => hostAggregates.delete(uuid)}
    >
      <IsolationNotice gaps={gaps} />
    </RecordRegistry>
  );
}

/** The zone has a column of its own. */
const withoutZone = ({ availability_zone: _zone, ...rest }: HostAggregate['metadata']): HostAggregate['metadata'] =>
  rest;

const columnsFor = (gaps: readonly IsolationGap[]): readonly RegistryColumn<HostAggregate>[] => [
  {
    key: 'availability_zone',
    name: 'Zone',
    width: '140px',
    value: ({ availability_zone: zone }) => zone,
    cell: ({ availability_zone: zone }) => zone ?? '–',
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
];

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
        // Quietly: the notice above says what comes of it.
        <Text key={key} span size="xs" c="dimmed">
          {`no ${key}`}
        </Text>
      ))}
    </Group>
  );
}
