// Rows of keys and values in a form.
import { ActionIcon, Button, Fieldset, Group, Stack, Text, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { IconPlus, IconX } from '../../shown/icons';
import { Note } from '../../shown/note';
import { newPair } from './pairs';
import type { RecordValues } from './record-values';

interface Props {
  readonly legend: string;
  readonly form: UseFormReturnType<RecordValues>;
  readonly isReadOnly: boolean;
  readonly hint?: string | undefined;
}

export function PairsField({ legend, form, isReadOnly, hint }: Props) {
  const { pairs } = form.values;
  const common = { flex: 3, readOnly: isReadOnly };
  return (
    <Fieldset legend={legend} p="sm">
      <Stack gap={6}>
        {hint !== undefined && <Note>{hint}</Note>}
        {pairs.length === 0 && isReadOnly && <Text>None</Text>}
        {pairs.map(({ id, key }, at) => (
          <Group key={id} gap={6} wrap="nowrap" align="flex-start">
            <TextInput
              {...common}
              {...form.getInputProps(`pairs.${at}.key`)}
              aria-label={`${legend}: key ${at + 1}`}
              placeholder="key"
              ff="monospace"
            />
            <TextInput
              {...common}
              {...form.getInputProps(`pairs.${at}.value`)}
              aria-label={key === '' ? `${legend}: value ${at + 1}` : `${legend}: value of ${key}`}
              placeholder="value"
            />
            {!isReadOnly && (
              <ActionIcon
                mt={3}
                aria-label={`Remove ${key === '' ? `key ${at + 1}` : key}`}
                onClick={() => form.removeListItem('pairs', at)}
              >
                <IconX size={16} />
              </ActionIcon>
            )}
          </Group>
        ))}
        {!isReadOnly && (
          <Group>
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<IconPlus size={14} />}
              onClick={() => form.insertListItem('pairs', newPair())}
            >
              Add a key
            </Button>
          </Group>
        )}
      </Stack>
    </Fieldset>
  );
}
