// Creates a custom trait or resource class, and deletes an unused one.
import type { Client } from '@berth/client';
import { ActionIcon, Button, Group, Popover, Stack, TextInput, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { customName, faultOfName } from '../../provider-traits/custom-name';
import { faultOf } from '../../service/fault';
import { IconPlus, IconTrash } from '../../shown/icons';
import { submits } from '../../shown/submits';
import { useChange } from '../../shown/use-change';

/** The client functions of traits or of resource classes. */
export type CustomCalls = Pick<Client['traits'], 'create' | 'delete'>;

interface MakeProps {
  /** The kind of entry, for example `trait`. */
  readonly what: string;
  readonly taken: readonly string[];
  readonly calls: CustomCalls;
}

export function MakeCustom({ what, taken, calls }: MakeProps) {
  const [isOpen, { toggle, close }] = useDisclosure();
  return (
    <Popover opened={isOpen} onDismiss={close} position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button leftSection={<IconPlus size={16} />} onClick={toggle}>
          {`Create custom ${what}`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>
        {isOpen && <NameForm what={what} taken={taken} calls={calls} onMade={close} />}
      </Popover.Dropdown>
    </Popover>
  );
}

function NameForm({ what, taken, calls, onMade }: MakeProps & { readonly onMade: () => void }) {
  const [typed, setTyped] = useState('');
  const name = customName(typed);
  const fault = typed === '' ? undefined : faultOfName(name, taken);
  const creation = useChange({
    run: () => calls.create(name),
    topics: ['registries'],
    done: () => ({
      title: `${name} is created`,
      message: `No provider has this ${what} yet.`,
      undo: () => calls.delete(name),
    }),
  });
  const submit = submits(() => {
    if (faultOfName(name, taken) === undefined) creation.mutate(undefined, { onSuccess: onMade });
  });
  return (
    <form onSubmit={submit}>
      <Stack gap="xs" w={340} maw="calc(100vw - 64px)">
        <TextInput
          size="sm"
          label={`Name of the ${what}`}
          description={name === '' ? 'The prefix CUSTOM_ is put before it.' : name}
          value={typed}
          error={fault ?? (creation.error === null ? undefined : faultOf(creation.error).detail)}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          data-autofocus
          required
        />
        <Group justify="flex-end">
          <Button type="submit" loading={creation.isPending} disabled={typed === '' || fault !== undefined}>
            Create
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface DeleteProps {
  readonly name: string;
  readonly calls: CustomCalls;
}

/** Nothing has the entry, so the notice restores it whole. */
export function DeleteCustom({ name, calls }: DeleteProps) {
  const deletion = useChange({
    run: () => calls.delete(name),
    topics: ['registries'],
    done: () => ({
      title: `${name} is deleted`,
      message: 'No provider had it.',
      undo: () => calls.create(name),
    }),
    failed: () => `${name} was not deleted`,
  });
  return (
    <Tooltip label={`Delete ${name}`}>
      <ActionIcon aria-label={`Delete ${name}`} loading={deletion.isPending} onClick={() => deletion.mutate()}>
        <IconTrash size={16} />
      </ActionIcon>
    </Tooltip>
  );
}
