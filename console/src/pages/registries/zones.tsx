// Availability zones: their hosts and how many are up. A host aggregate creates a zone by its metadata.
import { Badge, Group, Text } from '@mantine/core';
import type { AvailabilityZone } from '../../service/registries';
import { useZones } from '../../service/registries';
import { countOf, countText } from '../../shown/amount';
import type { Column } from '../../shown/data-table';
import { DataTable } from '../../shown/data-table';
import { EmptyState } from '../../shown/empty-state';
import type { ListColumn } from '../../shown/list-table';
import { ListTable } from '../../shown/list-table';
import { HostLink, TextLink } from '../../shown/page-link';
import { StateMark } from '../../shown/state-mark';
import { OpenButton, RecordDrawer } from './registry-page';

const ONE = 'availability zone';
const nameOf = ({ name }: AvailabilityZone): string => name;

export function Zones() {
  const question = useZones({ isPolled: true });
  return (
    <>
      <ListTable
        question={question}
        list={question.data}
        one={ONE}
        columns={COLUMNS}
        keyOf={nameOf}
        textOf={({ name, hosts }) => [name, ...hosts.map(({ host }) => host)].join(' ')}
        empty={
          <EmptyState title={`No ${ONE} yet`}>
            A <TextLink to="/registries/aggregates?open=new">host aggregate</TextLink> that names a zone makes it.
          </EmptyState>
        }
      />
      <RecordDrawer
        question={question}
        keyOf={nameOf}
        one={ONE}
        titleOf={(zone) => `Availability zone ${zone?.name ?? ''}`}
      >
        {(zone) => zone !== undefined && <ZoneHosts zone={zone} />}
      </RecordDrawer>
    </>
  );
}

const COLUMNS: readonly ListColumn<AvailabilityZone>[] = [
  {
    key: 'name',
    name: 'Name',
    width: 'minmax(180px, 1fr)',
    value: nameOf,
    cell: ({ name, default: isDefault }) => (
      <Group gap="xs" wrap="nowrap">
        <OpenButton name={name} id={name} />
        {isDefault && (
          <Badge variant="default" radius="sm" fw={400}>
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
  { key: 'hosts', name: 'Hosts', width: '100px', align: 'right', value: ({ hosts_total: total }) => total },
  { key: 'hosts_up', name: 'Up', width: '100px', align: 'right', value: ({ hosts_up: up }) => up },
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

function ZoneHosts({ zone: { name, hosts, hosts_up: up } }: { readonly zone: AvailabilityZone }) {
  return (
    <>
      <Text mb="sm">{`${countOf(hosts.length, 'host')}, ${countText(up)} up`}</Text>
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
  { key: 'host', name: 'Host', width: '2fr', cell: ({ host }) => <HostLink name={host} /> },
  {
    key: 'state',
    name: 'State',
    cell: ({ state }) => <StateMark color={state === 'up' ? 'teal' : 'red'} text={state} />,
  },
  { key: 'status', name: 'Status', cell: ({ status }) => status },
];
