// Creates a custom trait or resource class, and deletes an unused one.
import { ActionIcon, Button, Group, Popover, Stack, Text, TextInput, Tooltip } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import type { FormEvent } from 'react';
import { useState } from 'react';
import { customName, faultOfName } from '../../provider-traits/custom-name';
import { faultOf } from '../../service/fault';
import { IconPlus, IconTrash } from '../../shown/icons';
import { useChange } from '../../shown/use-change';

interface MakeProps {
  /** The kind of entry, for example `trait`. */
  readonly what: string;
  readonly taken: readonly string[];
  readonly make: (name: string) => Promise<unknown>;
}

export function MakeCustom({ what, taken, make }: MakeProps) {
  const [isOpen, { toggle, close }] = useDisclosure();
  return (
    <Popover opened={isOpen} onDismiss={close} position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Button size="xs" leftSection={<IconPlus size={16} aria-hidden />} onClick={toggle}>
          {`Create custom ${what}`}
        </Button>
      </Popover.Target>
      <Popover.Dropdown>{isOpen && <NameForm what={what} taken={taken} make={make} onMade={close} />}</Popover.Dropdown>
    </Popover>
  );
}

function NameForm({ what, taken, make, onMade }: MakeProps & { readonly onMade: () => void }) {
  const [typed, setTyped] = useState('');
  const name = customName(typed);
  const fault = typed === '' ? undefined : faultOfName(name, taken);
  const creation = useChange({
    run: () => make(name),
    topics: ['registries'],
    done: () => ({ title: `${name} is created`, message: `No provider has this ${what} yet.` }),
  });
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    if (faultOfName(name, taken) === undefined) creation.mutate(undefined, { onSuccess: onMade });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="xs" w={340} maw="calc(100vw - 64px)">
        <TextInput
          label={`Name of the ${what}`}
          description={name === '' ? 'The prefix CUSTOM_ is put before it.' : name}
          value={typed}
          error={fault ?? (creation.error === null ? undefined : faultOf(creation.error).detail)}
          onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          data-autofocus
          required
        />
        <Group justify="flex-end">
          <Button type="submit" size="xs" loading={creation.isPending} disabled={typed === '' || fault !== undefined}>
            Create
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

interface DeleteProps {
  readonly name: string;
  readonly remove: (name: string) => Promise<unknown>;
}

export function DeleteCustom({ name, remove }: DeleteProps) {
  const [isOpen, { toggle, close }] = useDisclosure();
  const deletion = useChange({
    run: () => remove(name),
    topics: ['registries'],
    done: () => ({ title: `${name} is deleted`, message: 'No provider had it.' }),
    failed: () => `${name} was not deleted`,
  });
  return (
    <Popover opened={isOpen} onDismiss={close} position="bottom-end" shadow="md" trapFocus>
      <Popover.Target>
        <Tooltip label={`Delete ${name}`}>
          <ActionIcon variant="subtle" color="gray" aria-label={`Delete ${name}`} onClick={toggle}>
            <IconTrash size={16} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown>
        <Stack gap="xs">
          <Text>Delete {name}?</Text>
          <Group justify="flex-end" gap="xs">
            <Button size="xs" variant="default" onClick={close}>
              Keep it
            </Button>
            <Button
              size="xs"
              color="red"
              loading={deletion.isPending}
              onClick={() => deletion.mutate(undefined, { onSettled: close })}
            >
              Delete
            </Button>
          </Group>
        </Stack>
      </Popover.Dropdown>
    </Popover>
  );
}
