// Availability zones: their hosts and how many are up. A host aggregate creates a zone by its metadata.
import { Anchor, Badge, Group, Text } from '@mantine/core';
import { Link } from 'react-router';
import { countOf, countText } from '../../shown/amount';
import type { Column } from '../../shown/data-table';
import { DataTable } from '../../shown/data-table';
import { HostLink } from '../../shown/host-link';
import { OpenButton } from './open-button';
import { NoRecord, RecordDrawer } from './record-drawer';
import type { RegistryColumn } from './registry-table';
import { RegistryTable } from './registry-table';
import { StateMark } from './state-mark';
import { useOpened } from './use-opened';
import type { AvailabilityZone } from './use-registries';
import { useZones } from './use-registries';

export function Zones() {
  const question = useZones();
  const opened = useOpened();
  const record = question.data?.rows.find(({ name }) => name === opened.id);
  return (
    <>
      <RegistryTable
        question={question}
        one="availability zone"
        columns={columnsFor(opened.open)}
        keyOf={({ name }) => name}
        textOf={({ name, hosts }) => [name, ...hosts.map(({ host }) => host)].join(' ')}
        first={
          <>
            A{' '}
            <Anchor component={Link} to="/registries/aggregates?open=new" inherit>
              host aggregate
            </Anchor>{' '}
            that names a zone makes it.
          </>
        }
      />
      <RecordDrawer title={`Availability zone ${opened.id}`} isOpen={opened.isOpen} close={opened.close}>
        {record === undefined ? (
          <NoRecord one="availability zone" isKnown={question.data !== undefined} />
        ) : (
          <ZoneHosts zone={record} />
        )}
      </RecordDrawer>
    </>
  );
}

const columnsFor = (open: (name: string) => void): readonly RegistryColumn<AvailabilityZone>[] => [
  {
    key: 'name',
    name: 'Name',
    width: 'minmax(180px, 1fr)',
    value: ({ name }) => name,
    cell: ({ name, default: isDefault }) => (
      <Group gap="xs" wrap="nowrap">
        <OpenButton name={name} open={() => open(name)} />
        {isDefault && (
          <Badge variant="default" tt="none" radius="sm" fw={400}>
            hosts in no other zone
          </Badge>
        )}
      </Group>
    ),
  },
  {
    key: 'available',
    name: 'Available',
    width: '140px',
    value: ({ available }) => (available ? 'yes' : 'no'),
    cell: ({ available }) => (
      <StateMark color={available ? 'teal' : 'red'} text={available ? 'yes' : 'no host is up'} />
    ),
  },
  {
    key: 'hosts',
    name: 'Hosts',
    width: '100px',
    align: 'right',
    value: ({ hosts_total: total }) => total,
    cell: ({ hosts_total: total }) => countText(total),
  },
  {
    key: 'hosts_up',
    name: 'Up',
    width: '100px',
    align: 'right',
    value: ({ hosts_up: up }) => up,
    cell: ({ hosts_up: up }) => countText(up),
  },
  {
    key: 'hosts_down',
    name: 'Not up',
    width: '100px',
    align: 'right',
    value: ({ hosts_total: total, hosts_up: up }) => total - up,
    cell: ({ hosts_total: total, hosts_up: up }) => (
      <Text span inherit fw={total > up ? 600 : 400}>
        {countText(total - up)}
      </Text>
    ),
  },
];

type ZoneHost = AvailabilityZone['hosts'][number];

function ZoneHosts({ zone }: { readonly zone: AvailabilityZone }) {
  const { name, hosts, hosts_up: up } = zone;
  return (
    <>
      <Text size="sm" mb="sm">{`${countOf(hosts.length, 'host')}, ${countText(up)} up`}</Text>
      <DataTable
        label={`Hosts of ${name}`}
        columns={HOST_COLUMNS}
        rows={hosts}
        keyOf={({ host }) => host}
        height="calc(100vh - 160px)"
        rowHeight={34}
        empty={<Text p="sm">No host is in it.</Text>}
      />
    </>
  );
}

const HOST_COLUMNS: readonly Column<ZoneHost>[] = [
  {
    key: 'host',
    name: 'Host',
    width: '2fr',
    cell: ({ host }) => <HostLink name={host} />,
  },
  {
    key: 'state',
    name: 'State',
    cell: ({ state }) => <StateMark color={state === 'up' ? 'teal' : 'red'} text={state} />,
  },
  { key: 'status', name: 'Status', cell: ({ status }) => status },
];
