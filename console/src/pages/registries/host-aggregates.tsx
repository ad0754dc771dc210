// Host aggregates: which hosts belong together, and what their metadata says of them.
import { Group, Text } from '@mantine/core';
import { useSession } from '../../session/session';
import { countText } from '../../shown/amount';
import { CommandText } from '../../shown/copy-text';
import { HostAggregateForm } from './host-aggregate-form';
import { HostAggregateHosts } from './host-aggregate-hosts';
import { IsolationNotice, useIsolationGaps } from './isolation-notice';
import type { IsolationGap } from './isolation-gaps';
import { KeyChips } from './key-chips';
import { OpenButton } from './open-button';
import { DeleteButton, NoRecord, RecordDrawer } from './record-drawer';
import { RegistryTable } from './registry-table';
import type { RegistryColumn } from './registry-table';
import { useHostAggregates } from './use-registries';
import type { HostAggregate } from './use-registries';
import { useOpened } from './use-opened';

export function HostAggregates() {
  const question = useHostAggregates();
  const { may } = useSession();
  const opened = useOpened();
  const gaps = useIsolationGaps(question.data?.rows);
  const columns = columnsFor(opened.open, gaps);
  const record = question.data?.rows.find(({ uuid }) => uuid === opened.id);
  return (
    <>
      <RegistryTable
        question={question}
        one="host aggregate"
        columns={columns}
        keyOf={({ uuid }) => uuid}
        textOf={({ name, uuid, metadata, hosts }) => [name, uuid, metadataText(metadata), ...hosts].join(' ')}
        create={may('berth:scheduler:host_aggregates:create') ? opened.create : undefined}
        first={<CommandText command="openstack aggregate create --zone az1 --property ssd=true rack1" />}
      >
        <IsolationNotice gaps={gaps} />
      </RegistryTable>
      <RecordDrawer
        title={opened.isNew ? 'New host aggregate' : `Host aggregate ${record?.name ?? ''}`}
        isOpen={opened.isOpen}
        close={opened.close}
      >
        {opened.isNew || record !== undefined ? (
          <Opened key={opened.id} record={record} opened={opened} />
        ) : (
          <NoRecord one="host aggregate" isKnown={question.data !== undefined} />
        )}
      </RecordDrawer>
    </>
  );
}

interface OpenedProps {
  readonly record: HostAggregate | undefined;
  readonly opened: ReturnType<typeof useOpened>;
}

function Opened({ record, opened }: OpenedProps) {
  const { may, service } = useSession();
  return (
    <Group align="stretch" gap="lg" style={{ flexDirection: 'column' }}>
      <HostAggregateForm record={record} onCreated={({ uuid }) => opened.open(uuid)} />
      {record !== undefined && <HostAggregateHosts aggregate={record} />}
      {record !== undefined && may('berth:scheduler:host_aggregates:delete') && (
        <DeleteButton
          what={`host aggregate ${record.name}`}
          remove={() => service.scheduler.hostAggregates.delete(record.uuid)}
          onRemoved={opened.close}
        />
      )}
    </Group>
  );
}

const metadataText = (metadata: HostAggregate['metadata']): string =>
  Object.entries(metadata)
    .map(([key, value]) => `${key}=${value}`)
    .join(' ');

/** The zone has a column of its own. */
const withoutZone = ({ availability_zone: _zone, ...rest }: HostAggregate['metadata']): HostAggregate['metadata'] =>
  rest;

const columnsFor = (
  open: (uuid: string) => void,
  gaps: readonly IsolationGap[],
): readonly RegistryColumn<HostAggregate>[] => [
  {
    key: 'name',
    name: 'Name',
    width: 'minmax(160px, 1fr)',
    value: ({ name }) => name,
    cell: ({ name, uuid }) => <OpenButton name={name} open={() => open(uuid)} />,
  },
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
    value: ({ metadata }) => metadataText(withoutZone(metadata)) || null,
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
