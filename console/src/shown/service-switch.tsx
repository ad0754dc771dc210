// Disables and enables the compute service of a host, if the user's roles permit it.
import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { KnownService } from '../service/switch-service';
import { switchService } from '../service/switch-service';
import { useSession } from '../session/session';
import { IconPlayerPause, IconPlayerPlay } from './icons';
import { submits } from './submits';
import { useChange } from './use-change';

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
  /** Of the dialog; undefined: it is closed. */
  const [reason, setReason] = useState<string>();
  const close = (): void => setReason(undefined);
  /** Without a reason it enables the service. */
  const change = useChange({
    run: (given: string | undefined) =>
      switchService(
        scheduler,
        host,
        shown,
        given === undefined ? { status: 'enabled' } : { status: 'disabled', disabled_reason: given || null },
      ),
    done: (undo, given) =>
      given === undefined
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
        onClick={isEnabled ? () => setReason('') : () => change.mutate(undefined)}
      >
        {isEnabled ? 'Disable…' : 'Enable'}
      </Button>
      <Modal opened={reason !== undefined} onClose={close} title={`Disable ${host}`}>
        <form onSubmit={submits(() => change.mutate(reason?.trim() ?? '', { onSuccess: close }))}>
          <Stack>
            <Text>What runs there stays; nothing new is put there until it is enabled again.</Text>
            <TextInput
              size="sm"
              label="Reason"
              description="Shown in every explanation of why this host was rejected."
              placeholder="waiting for new firmware"
              value={reason ?? ''}
              maxLength={255}
              onChange={({ currentTarget }) => setReason(currentTarget.value)}
              data-autofocus
            />
            <Group justify="flex-end" gap="xs">
              <Button size="sm" variant="default" onClick={close}>
                Cancel
              </Button>
              <Button size="sm" type="submit" color="red" loading={change.isPending}>
                Disable
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
