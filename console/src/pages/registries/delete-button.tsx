// Removes a record after a confirmation.
import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { FaultNotice } from '../../shown/fault-notice';
import { REGISTRY_TOPICS, useChange } from '../../shown/use-change';

interface Props {
  /** For example `flavor m1.small`. */
  readonly what: string;
  readonly remove: () => Promise<unknown>;
  readonly onRemoved: () => void;
}

export function DeleteButton({ what, remove, onRemoved }: Props) {
  const [isAsking, setAsking] = useState(false);
  const removing = useChange({ run: remove, topics: REGISTRY_TOPICS, done: () => ({ title: `Removed ${what}` }) });
  return (
    <Stack gap="sm">
      {removing.error !== null && <FaultNotice error={removing.error} />}
      {isAsking ? (
        <Group gap="xs" role="group" aria-label={`Remove ${what}`}>
          <Text>{`Remove ${what} for good?`}</Text>
          <Button
            size="xs"
            color="red"
            loading={removing.isPending}
            onClick={() => removing.mutate(undefined, { onSuccess: onRemoved })}
          >
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
