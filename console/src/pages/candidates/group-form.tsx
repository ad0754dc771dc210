// Form of one request group of a candidates query.
import {
  ActionIcon,
  Autocomplete,
  Button,
  CloseButton,
  Fieldset,
  Grid,
  Group,
  NumberInput,
  Stack,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconTrash } from '../../shown/icons';
import type { FormGroup } from './query-form';
import { renamed } from './query-form';
import { TermsInput } from './terms-input';
import type { KnownNames } from './use-names';

interface Props {
  readonly group: FormGroup;
  readonly names: KnownNames;
  readonly onChange: (group: FormGroup) => void;
  /** Absent if the group cannot be removed. */
  readonly onRemove?: () => void;
}

export function GroupForm({ group, names, onChange, onRemove }: Props) {
  const { suffix, resources, required, memberOf, inTree } = group;
  const setResource = (at: number, changed: { readonly resourceClass?: string; readonly amount?: string }): void =>
    onChange({ ...group, resources: resources.map((each, index) => (index === at ? { ...each, ...changed } : each)) });
  const legend = suffix === '' ? 'What is asked' : `Group ${suffix}, from one provider`;
  return (
    <Fieldset legend={legend} p="sm" pos="relative">
      {onRemove !== undefined && (
        <CloseButton
          pos="absolute"
          top={0}
          right={8}
          size="sm"
          aria-label={`Remove group ${suffix}`}
          onClick={onRemove}
        />
      )}
      <Grid gap="sm">
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack gap={6}>
            {resources.map(({ resourceClass, amount }, at) => (
              // Rows have no identifier, and their fields keep no state of their own.
              <Group key={at} gap={6} wrap="nowrap">
                <Autocomplete
                  aria-label={`Resource class ${at + 1}${suffix === '' ? '' : ` of group ${suffix}`}`}
                  placeholder="Resource class"
                  size="xs"
                  data={[...names.resourceClasses]}
                  limit={12}
                  value={resourceClass}
                  onChange={(value) => setResource(at, { resourceClass: value })}
                  style={{ flex: 1 }}
                />
                <NumberInput
                  aria-label={`Amount of ${resourceClass === '' ? `resource ${at + 1}` : resourceClass}`}
                  placeholder="Amount"
                  size="xs"
                  w={90}
                  min={1}
                  allowDecimal={false}
                  value={amount}
                  onChange={(value) => setResource(at, { amount: String(value) })}
                />
                <ActionIcon
                  variant="subtle"
                  color="gray"
                  aria-label={`Remove ${resourceClass === '' ? `resource ${at + 1}` : resourceClass}`}
                  disabled={resources.length === 1}
                  onClick={() => onChange({ ...group, resources: resources.filter((_, index) => index !== at) })}
                >
                  <IconTrash size={14} aria-hidden />
                </ActionIcon>
              </Group>
            ))}
            <Button
              variant="subtle"
              size="compact-xs"
              leftSection={<IconPlus size={12} aria-hidden />}
              style={{ alignSelf: 'flex-start' }}
              onClick={() => onChange({ ...group, resources: [...resources, { resourceClass: '', amount: '' }] })}
            >
              Resource
            </Button>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Grid gap="xs">
            <Grid.Col span={{ base: 12, sm: 6 }}>
              <TermsInput
                label="Traits"
                names={names.traits}
                value={required}
                onChange={(terms) => onChange({ ...group, required: terms })}
              />
            </Grid.Col>
            <Grid.Col span={{ base: 12, sm: 6 }}>
              <TermsInput
                label="Aggregates"
                names={names.aggregates}
                value={memberOf.map((term) => renamed(term, names.nameOf))}
                onChange={(terms) => onChange({ ...group, memberOf: terms.map((term) => renamed(term, names.uuidOf)) })}
              />
            </Grid.Col>
            <Grid.Col span={12}>
              <TextInput
                label="In the tree of"
                placeholder="uuid of any provider of the tree"
                size="xs"
                value={inTree}
                onChange={(event) => onChange({ ...group, inTree: event.currentTarget.value.trim() })}
              />
            </Grid.Col>
          </Grid>
        </Grid.Col>
      </Grid>
    </Fieldset>
  );
}
