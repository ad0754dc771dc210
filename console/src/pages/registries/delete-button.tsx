// Removes a record after a confirmation.
import { Button, Group, Stack } from '@mantine/core';
import { useState } from 'react';
import { AskFirst } from '../../shown/ask-first';
import { FaultNotice } from '../../shown/fault-notice';
import type { Undo } from '../../shown/use-change';
import { REGISTRY_TOPICS, useChange } from '../../shown/use-change';

interface Props {
  /** For example `flavor m1.small`. */
  readonly what: string;
  readonly remove: () => Promise<unknown>;
  readonly undo: Undo;
  readonly onRemoved: () => void;
}

export function DeleteButton({ what, remove, undo, onRemoved }: Props) {
  const [isAsking, setAsking] = useState(false);
  const removing = useChange({
    run: remove,
    topics: REGISTRY_TOPICS,
    done: () => ({ title: `Removed ${what}`, undo }),
  });
  return (
    <Stack gap="sm">
      {removing.error !== null && <FaultNotice error={removing.error} />}
      <Group>
        <Button size="xs" variant="light" color="red" onClick={() => setAsking(true)}>
          Remove…
        </Button>
      </Group>
      {isAsking && (
        <AskFirst
          title={`Remove ${what}?`}
          text="For a minute the notice offers to create it again, with the same id and content."
          yes="Remove it"
          isBusy={removing.isPending}
          onYes={() => removing.mutate(undefined, { onSuccess: onRemoved, onSettled: () => setAsking(false) })}
          close={() => setAsking(false)}
        />
      )}
    </Stack>
  );
}
