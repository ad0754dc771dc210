// Removes a record after a confirmation.
import { Button, Group } from '@mantine/core';
import { useState } from 'react';
import { AskFirst } from '../../shown/ask-first';
import type { Undo } from '../../shown/use-change';
import { useChange } from '../../shown/use-change';

interface Props {
  /** For example `flavor m1.small`. */
  readonly what: string;
  readonly remove: () => Promise<unknown>;
  readonly undo?: Undo;
  readonly onRemoved: () => void;
}

export function DeleteButton({ what, remove, undo, onRemoved }: Props) {
  const [isAsking, setAsking] = useState(false);
  const removing = useChange({
    run: remove,
    done: () => ({ title: `Removed ${what}`, undo }),
    failed: () => `${what} was not removed`,
  });
  return (
    <Group>
      <Button variant="light" color="red" loading={removing.isPending} onClick={() => setAsking(true)}>
        Remove…
      </Button>
      {isAsking && (
        <AskFirst
          title={`Remove ${what}?`}
          text={undo ? 'For a minute the notice offers to create it again, unchanged.' : 'It cannot be created again.'}
          yes="Remove it"
          onYes={() => removing.mutate(undefined, { onSuccess: onRemoved })}
          close={() => setAsking(false)}
        />
      )}
    </Group>
  );
}
