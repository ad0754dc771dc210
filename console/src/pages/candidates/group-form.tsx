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
  SimpleGrid,
  Stack,
  TextInput,
} from '@mantine/core';
import { IconPlus, IconTrash } from '../../shown/icons';
import type { FormGroup } from './query-form';
import { renamed } from './query-form';
import { TermsInput } from './terms-input';

/** Names for completion: classes, traits, and aggregates by the names of host aggregates. */
export interface KnownNames {
  readonly resourceClasses: readonly string[];
  readonly traits: readonly string[];
  readonly aggregates: readonly string[];
  /** The uuid of a host aggregate's name; any other text is returned unchanged. */
  readonly uuidOf: (name: string) => string;
  readonly nameOf: (uuid: string) => string;
}

interface Props {
  readonly group: FormGroup;
  readonly names: KnownNames;
  readonly onChange: (group: FormGroup) => void;
  /** Undefined if the group cannot be removed. */
  readonly onRemove: (() => void) | undefined;
}

export function GroupForm({ group, names, onChange, onRemove }: Props) {
  const { suffix, resources, required, memberOf, inTree } = group;
  const set = (changed: Partial<FormGroup>): void => onChange({ ...group, ...changed });
  const setResource = (at: number, changed: Partial<FormGroup['resources'][number]>): void =>
    set({ resources: resources.map((each, index) => (index === at ? { ...each, ...changed } : each)) });
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
                  data={[...names.resourceClasses]}
                  limit={12}
                  value={resourceClass}
                  onChange={(value) => setResource(at, { resourceClass: value })}
                  style={{ flex: 1 }}
                />
                <NumberInput
                  aria-label={`Amount of ${resourceClass === '' ? `resource ${at + 1}` : resourceClass}`}
                  placeholder="Amount"
                  w={90}
                  min={1}
                  allowDecimal={false}
                  value={amount}
                  onChange={(value) => setResource(at, { amount: String(value) })}
                />
                <ActionIcon
                  aria-label={`Remove ${resourceClass === '' ? `resource ${at + 1}` : resourceClass}`}
                  disabled={resources.length === 1}
                  onClick={() => set({ resources: resources.filter((_, index) => index !== at) })}
                >
                  <IconTrash size={14} />
                </ActionIcon>
              </Group>
            ))}
            <Button
              variant="subtle"
              size="compact-xs"
              leftSection={<IconPlus size={12} />}
              style={{ alignSelf: 'flex-start' }}
              onClick={() => set({ resources: [...resources, { resourceClass: '', amount: '' }] })}
            >
              Resource
            </Button>
          </Stack>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Stack gap="xs">
            <SimpleGrid cols={{ base: 1, sm: 2 }} spacing="xs">
              <TermsInput
                label="Traits"
                names={names.traits}
                value={required}
                onChange={(terms) => set({ required: terms })}
              />
              <TermsInput
                label="Aggregates"
                names={names.aggregates}
                value={memberOf.map((term) => renamed(term, names.nameOf))}
                onChange={(terms) => set({ memberOf: terms.map((term) => renamed(term, names.uuidOf)) })}
              />
            </SimpleGrid>
            <TextInput
              label="In the tree of"
              placeholder="uuid of any provider of the tree"
              value={inTree}
              onChange={(event) => set({ inTree: event.currentTarget.value.trim() })}
            />
          </Stack>
        </Grid.Col>
      </Grid>
    </Fieldset>
  );
}
