// Compute services: the reporting hosts, and why some of them accept no instances.
import type { Body } from '@berth/client';
import { Alert, Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useAddress } from '../../address/use-address';
import { useSession } from '../../session/session';
import { FaultNotice } from '../../shown/fault-notice';
import { HostLink } from '../../shown/host-link';
import { TimeText } from '../../shown/time-text';
import type { RegistryColumn } from './registry-table';
import { RegistryTable } from './registry-table';
import { StateMark } from './state-mark';
import { refreshRegistries } from './use-record-form';
import type { ComputeService } from './use-registries';
import { useServices } from './use-registries';

export function Services() {
  const question = useServices();
  const { may } = useSession();
  const address = useAddress();
  const change = useServiceChange();
  const disabling = question.data?.rows.find(({ host }) => host === address.get('disable'));
  const mayChange = may('berth:scheduler:services:update');
  const ask = (host: string | undefined): void => {
    change.reset();
    address.set({ disable: host }, 'push');
  };
  const enable = ({ host, generation }: ComputeService): void =>
    change.mutate({ host, body: { status: 'enabled', generation } });
  return (
    <>
      {change.error !== null && disabling === undefined && <FaultNotice error={change.error} />}
      <RegistryTable
        question={question}
        one="service"
        columns={mayChange ? [...COLUMNS, actionColumn(enable, ask)] : COLUMNS}
        keyOf={({ host }) => host}
        textOf={textOf}
        first="A service is there from the first report of its host on: PUT /scheduler/hosts/{host}/{node}."
      />
      {mayChange && disabling !== undefined && (
        <DisableForm service={disabling} change={change} close={() => ask(undefined)} />
      )}
    </>
  );
}

interface Change {
  readonly host: string;
  readonly body: Body<'/scheduler/services/{host}', 'patch'>;
}

function useServiceChange() {
  const { service } = useSession();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ host, body }: Change) => service.scheduler.services.change(host, body),
    onSuccess: ({ host, status }) =>
      notifications.show({ color: 'teal', title: `${host} is ${status}`, message: undefined }),
    onSettled: () => refreshRegistries(queries),
  });
}

interface DisableProps {
  readonly service: ComputeService;
  readonly change: ReturnType<typeof useServiceChange>;
  readonly close: () => void;
}

function DisableForm({ service: { host, generation }, change, close }: DisableProps) {
  const [reason, setReason] = useState('');
  return (
    <Modal
      opened
      onClose={close}
      title={`Disable ${host}`}
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      <form
        onSubmit={(event) => {
          event.preventDefault();
          const why = reason.trim() === '' ? {} : { disabled_reason: reason.trim() };
          change.mutate({ host, body: { status: 'disabled', generation, ...why } }, { onSuccess: close });
        }}
      >
        <Stack gap="sm">
          <Alert color="blue" variant="light" p="xs">
            What runs there stays; nothing new is put there.
          </Alert>
          <TextInput
            label="Reason"
            description="Shown in every explanation of why this host was rejected."
            data-autofocus
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
          {change.error !== null && <FaultNotice error={change.error} />}
          <Group>
            <Button type="submit" color="orange" loading={change.isPending} autoContrast>
              Disable
            </Button>
            <Button variant="default" onClick={close}>
              Leave it enabled
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
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

const COLUMNS: readonly RegistryColumn<ComputeService>[] = [
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
    cell: ({ disabled_reason: reason }) => (
      <Text span inherit title={reason ?? undefined}>
        {reason ?? '–'}
      </Text>
    ),
  },
  {
    key: 'zone',
    name: 'Zone',
    width: '120px',
    value: ({ availability_zone: zone }) => zone,
  },
  {
    key: 'last_seen_up',
    name: 'Last report',
    width: '130px',
    value: ({ last_seen_up: seen }) => seen,
    cell: ({ last_seen_up: seen }) => <TimeText at={seen} />,
  },
];

const actionColumn = (
  enable: (service: ComputeService) => void,
  disable: (host: string) => void,
): RegistryColumn<ComputeService> => ({
  key: 'change',
  name: 'Change',
  width: '100px',
  value: ({ status }) => status,
  csv: false,
  cell: (service) =>
    service.status === 'enabled' ? (
      <Button
        size="compact-xs"
        variant="default"
        aria-label={`Disable ${service.host}`}
        onClick={() => disable(service.host)}
      >
        Disable…
      </Button>
    ) : (
      <Button size="compact-xs" variant="default" aria-label={`Enable ${service.host}`} onClick={() => enable(service)}>
        Enable
      </Button>
    ),
});
