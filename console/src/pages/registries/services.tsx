import type { ComputeService } from '../../service/registries';
import { useServices } from '../../service/registries';
import { EmptyState } from '../../shown/empty-state';
import type { ListColumn } from '../../shown/list-table';
import { ListTable } from '../../shown/list-table';
// Compute services: the reporting hosts, and why some of them accept no instances.
import { HostLink } from '../../shown/page-link';
import { ServiceSwitch, useMaySwitch } from '../../shown/service-switch';
import { StateMark } from '../../shown/state-mark';
import { TimeText } from '../../shown/time-text';

export function Services() {
  const question = useServices({ isPolled: true });
  const maySwitch = useMaySwitch();
  return (
    <ListTable
      question={question}
      list={question.data}
      one="service"
      columns={maySwitch ? [...COLUMNS, SWITCH] : COLUMNS}
      keyOf={({ host }) => host}
      textOf={textOf}
      empty={
        <EmptyState title="No service yet">
          A service is there from the first report of its host on: PUT
          /scheduler/hosts/&#123;host&#125;/&#123;node&#125;.
        </EmptyState>
      }
    />
  );
}

const textOf = (service: ComputeService): string =>
  [
    service.host,
    ...service.nodes,
    service.status,
    service.state,
    service.disabled_reason ?? '',
    service.availability_zone,
    service.forced_down ? 'forced down' : '',
  ].join(' ');

const stateText = ({ state, forced_down: isForced }: ComputeService): string => (isForced ? 'forced down' : state);

const COLUMNS: readonly ListColumn<ComputeService>[] = [
  {
    key: 'host',
    name: 'Host',
    width: 'minmax(160px, 1fr)',
    value: ({ host }) => host,
    cell: ({ host }) => <HostLink name={host} />,
  },
  {
    key: 'state',
    name: 'State',
    width: '130px',
    value: stateText,
    cell: (service) => <StateMark color={service.state === 'up' ? 'teal' : 'red'} text={stateText(service)} />,
  },
  {
    key: 'status',
    name: 'Status',
    width: '110px',
    value: ({ status }) => status,
    cell: ({ status }) => (status === 'enabled' ? status : <StateMark color="orange" text={status} />),
  },
  {
    key: 'disabled_reason',
    name: 'Reason',
    width: 'minmax(160px, 1.4fr)',
    value: ({ disabled_reason: reason }) => reason,
  },
  { key: 'zone', name: 'Zone', width: '120px', value: ({ availability_zone: zone }) => zone },
  {
    key: 'last_seen_up',
    name: 'Last report',
    width: '130px',
    value: ({ last_seen_up: seen }) => seen,
    cell: ({ last_seen_up: seen }) => <TimeText at={seen} />,
  },
];

const SWITCH: ListColumn<ComputeService> = {
  key: 'change',
  name: 'Change',
  width: '100px',
  cell: (service) => <ServiceSwitch host={service.host} service={service} isInTable />,
};
