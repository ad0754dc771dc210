// Disables and enables the compute service of a host, if the user's roles permit it.
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { FormEvent } from 'react';
import { useState } from 'react';
import type { KnownService } from '../service/switch-service';
import { switchService } from '../service/switch-service';
import { useSession } from '../session/session';
import { IconPlayerPause, IconPlayerPlay } from './icons';
import { REGISTRY_TOPICS, useChange } from './use-change';

export const useMaySwitch = (): boolean => useSession().may('berth:scheduler:services:update');

interface Props {
  readonly host: string;
  readonly service: KnownService;
  /** Small; the accessible name has the host. */
  readonly isInTable?: boolean;
}

export function ServiceSwitch({ host, service: shown, isInTable = false }: Props) {
  const { scheduler } = useSession().service;
  const { status } = shown;
  const [isOpen, { open, close }] = useDisclosure();
  /** `reason` undefined: enables the service. */
  const change = useChange({
    run: (reason: string | undefined) =>
      switchService(
        scheduler,
        host,
        shown,
        reason === undefined ? { status: 'enabled' } : { status: 'disabled', disabled_reason: reason || null },
      ),
    topics: REGISTRY_TOPICS,
    done: (undo, reason) =>
      reason === undefined
        ? { title: `${host} is enabled`, message: 'It is given new instances again.', undo }
        : { title: `${host} is disabled`, message: 'What runs there stays.', undo },
    failed: () => `${host} was not changed`,
  });
  if (!useMaySwitch()) return null;
  const isEnabled = status === 'enabled';
  const Icon = isEnabled ? IconPlayerPause : IconPlayerPlay;
  return (
    <>
      <Button
        variant={isEnabled || isInTable ? 'default' : 'filled'}
        size={isInTable ? 'compact-xs' : 'xs'}
        leftSection={isInTable ? undefined : <Icon size={16} />}
        aria-label={isInTable ? `${isEnabled ? 'Disable' : 'Enable'} ${host}` : undefined}
        loading={change.isPending}
        onClick={isEnabled ? open : () => change.mutate(undefined)}
      >
        {isEnabled ? 'Disable…' : 'Enable'}
      </Button>
      <Modal opened={isOpen} onClose={close} title={`Disable ${host}`}>
        <DisableForm
          isBusy={change.isPending}
          onCancel={close}
          onDisable={(reason) => change.mutate(reason, { onSuccess: close })}
        />
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
        <Text>What runs there stays; nothing new is put there until it is enabled again.</Text>
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
