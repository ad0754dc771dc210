// Disables and enables the compute service of a host, if the user's roles permit it.
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { faultOf } from '../../service/fault';
import type { HostReport } from '../../service/reports';
import { useSession } from '../../session/session';
import { IconPlayerPause, IconPlayerPlay } from '../../shown/icons';

interface Props {
  readonly host: string;
  readonly service: NonNullable<HostReport['service']>;
}

export function ServiceSwitch({ host, service: { status } }: Props) {
  const { may, service } = useSession();
  const queries = useQueryClient();
  const [isOpen, { open, close }] = useDisclosure();
  const change = useMutation({
    mutationFn: (reason: string | undefined) =>
      service.scheduler.services.change(
        host,
        reason === undefined ? { status: 'enabled' } : { status: 'disabled', disabled_reason: reason || null },
      ),
    onSuccess: (_, reason) => {
      close();
      notifications.show({
        color: 'teal',
        title: reason === undefined ? `${host} is enabled` : `${host} is disabled`,
        message: reason === undefined ? 'It is given new instances again.' : 'What runs there stays.',
      });
    },
    onError: (error) =>
      notifications.show({
        color: 'red',
        title: `${host} was not changed`,
        message: faultOf(error).detail,
        autoClose: 15_000,
      }),
    onSettled: () =>
      Promise.all([
        queries.invalidateQueries({ queryKey: ['hosts'] }),
        queries.invalidateQueries({ queryKey: ['registries'] }),
      ]),
  });
  if (!may('berth:scheduler:services:update')) return null;
  if (status === 'disabled') {
    return (
      <Button
        size="xs"
        leftSection={<IconPlayerPlay size={16} aria-hidden />}
        loading={change.isPending}
        onClick={() => change.mutate(undefined)}
      >
        Enable
      </Button>
    );
  }
  return (
    <>
      <Button variant="default" size="xs" leftSection={<IconPlayerPause size={16} aria-hidden />} onClick={open}>
        Disable…
      </Button>
      <Modal opened={isOpen} onClose={close} title={`Disable ${host}`} transitionProps={{ duration: 0 }}>
        <DisableForm isBusy={change.isPending} onCancel={close} onDisable={(reason) => change.mutate(reason)} />
      </Modal>
    </>
  );
}

interface FormProps {
  readonly isBusy: boolean;
  readonly onCancel: () => void;
  readonly onDisable: (reason: string) => void;
}

function DisableForm({ isBusy, onCancel, onDisable }: FormProps) {
  const [reason, setReason] = useState('');
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    onDisable(reason.trim());
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">What runs there stays; nothing new is put there until it is enabled again.</Text>
        <TextInput
          label="Reason"
          description="Shown in every explanation of why this host was rejected."
          placeholder="waiting for new firmware"
          value={reason}
          maxLength={255}
          onChange={({ currentTarget }) => setReason(currentTarget.value)}
          data-autofocus
        />
        <Group justify="flex-end" gap="xs">
          <Button variant="default" onClick={onCancel}>
            Cancel
          </Button>
          <Button type="submit" color="red" loading={isBusy}>
            Disable
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
