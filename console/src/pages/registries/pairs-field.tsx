// Rows of keys and values in a form.
import { ActionIcon, Button, Fieldset, Group, Stack, Text, TextInput } from '@mantine/core';
import { IconPlus, IconX } from '../../shown/icons';
import type { Pair } from './pairs';
import { newPair } from './pairs';

/** A form with `pairs` among its values. */
interface PairsForm {
  readonly values: { readonly pairs: readonly Pair[] };
  readonly setFieldValue: (path: 'pairs', pairs: Pair[]) => void;
  /** Keyed by form path, for example `pairs.0.value`. */
  readonly errors: Readonly<Record<string, React.ReactNode>>;
}

interface Props {
  readonly legend: string;
  readonly form: PairsForm;
  readonly isReadOnly: boolean;
  readonly hint?: string | undefined;
}

export function PairsField({ legend, form, isReadOnly, hint }: Props) {
  const { values, setFieldValue, errors } = form;
  const { pairs } = values;
  const onChange = (changed: Pair[]): void => setFieldValue('pairs', changed);
  const change = (at: number, part: Partial<Pair>): void =>
    onChange(pairs.map((pair, each) => (each === at ? { ...pair, ...part } : pair)));
  return (
    <Fieldset legend={legend} p="sm">
      <Stack gap={6}>
        {hint !== undefined && (
          <Text size="xs" c="dimmed">
            {hint}
          </Text>
        )}
        {pairs.length === 0 && isReadOnly && <Text size="sm">None</Text>}
        {pairs.map(({ id, key, value }, at) => (
          <Group key={id} gap={6} wrap="nowrap" align="flex-start">
            <TextInput
              aria-label={`${legend}: key ${at + 1}`}
              placeholder="key"
              size="xs"
              flex={3}
              ff="monospace"
              value={key}
              readOnly={isReadOnly}
              error={errors[`pairs.${at}.key`]}
              onChange={(event) => change(at, { key: event.currentTarget.value })}
            />
            <TextInput
              aria-label={key === '' ? `${legend}: value ${at + 1}` : `${legend}: value of ${key}`}
              placeholder="value"
              size="xs"
              flex={3}
              value={value}
              readOnly={isReadOnly}
              error={errors[`pairs.${at}.value`]}
              onChange={(event) => change(at, { value: event.currentTarget.value })}
            />
            {!isReadOnly && (
              <ActionIcon
                variant="subtle"
                color="gray"
                mt={3}
                aria-label={`Remove ${key === '' ? `key ${at + 1}` : key}`}
                onClick={() => onChange(pairs.filter((_, each) => each !== at))}
              >
                <IconX size={16} aria-hidden />
              </ActionIcon>
            )}
          </Group>
        ))}
        {!isReadOnly && (
          <Group>
            <Button
              size="compact-xs"
              variant="default"
              leftSection={<IconPlus size={14} aria-hidden />}
              onClick={() => onChange([...pairs, newPair()])}
            >
              Add a key
            </Button>
          </Group>
        )}
      </Stack>
    </Fieldset>
  );
}
