// Drawer for one record of a registry: shows and edits it; removal needs a confirmation.
import { Alert, Button, Drawer, Group, Skeleton, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useState } from 'react';
import { EmptyState } from '../../shown/empty-state';
import { FaultNotice } from '../../shown/fault-notice';
import { refreshRegistries } from './use-record-form';

interface Props {
  readonly title: string;
  readonly isOpen: boolean;
  readonly close: () => void;
  readonly children: ReactNode;
}

export function RecordDrawer({ title, isOpen, close, children }: Props) {
  return (
    <Drawer
      opened={isOpen}
      onClose={close}
      title={title}
      position="right"
      size="lg"
      transitionProps={{ duration: 0 }}
      closeButtonProps={{ 'aria-label': 'Close' }}
    >
      {children}
    </Drawer>
  );
}

/** Shown for a record in the address that was removed or is still loading. */
export function NoRecord({ one, isKnown }: { readonly one: string; readonly isKnown: boolean }) {
  return isKnown ? (
    <EmptyState title={`No such ${one}`}>It was removed, or its address is wrong.</EmptyState>
  ) : (
    <Skeleton h={200} aria-label="Loading" />
  );
}

interface SaveProps {
  readonly isBusy: boolean;
  readonly fault: Error | undefined;
  readonly isOutdated: boolean;
  readonly renew: () => void;
  readonly isNew: boolean;
}

/** The end of a form: the error and the save button. */
export function SaveBar({ isBusy, fault, isOutdated, renew, isNew }: SaveProps) {
  return (
    <Stack gap="sm">
      {isOutdated && (
        <Alert color="yellow" variant="light" p="xs" role="status">
          <Group justify="space-between" gap="xs">
            <Text size="sm">The record was changed while you edited it.</Text>
            <Button size="compact-xs" variant="default" onClick={renew}>
              Load what is there now
            </Button>
          </Group>
        </Alert>
      )}
      {fault !== undefined && <FaultNotice error={fault} />}
      <Group>
        <Button type="submit" size="sm" loading={isBusy}>
          {isNew ? 'Create' : 'Save'}
        </Button>
      </Group>
    </Stack>
  );
}

interface DeleteProps {
  /** For example `flavor m1.small`. */
  readonly what: string;
  readonly remove: () => Promise<unknown>;
  readonly onRemoved: () => void;
}

export function DeleteButton({ what, remove, onRemoved }: DeleteProps) {
  const queries = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const removing = useMutation({
    mutationFn: remove,
    onSuccess: () => {
      notifications.show({ color: 'teal', title: `Removed ${what}`, message: undefined });
      onRemoved();
    },
    onSettled: () => refreshRegistries(queries),
  });
  return (
    <Stack gap="sm">
      {removing.error !== null && <FaultNotice error={removing.error} />}
      {isAsking ? (
        <Group gap="xs" role="group" aria-label={`Remove ${what}`}>
          <Text size="sm">{`Remove ${what} for good?`}</Text>
          <Button size="xs" color="red" loading={removing.isPending} onClick={() => removing.mutate()}>
            Remove it
          </Button>
          <Button size="xs" variant="default" onClick={() => setAsking(false)} data-autofocus>
            Keep it
          </Button>
        </Group>
      ) : (
        <Group>
          <Button size="xs" variant="light" color="red" onClick={() => setAsking(true)}>
            Remove…
          </Button>
        </Group>
      )}
    </Stack>
  );
}
