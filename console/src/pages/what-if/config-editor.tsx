// Edits the configuration of a comparison: filters, multipliers of weighers, other options.
import { Button, Checkbox, Group, NumberInput, SimpleGrid, Stack, TagsInput, Text } from '@mantine/core';
import { useState } from 'react';
import { useUnsaved } from '../../shell/unsaved';
import { IconArrowsDiff } from '../../shown/icons';
import { Panel } from '../../shown/part';
import type { ConfigChange, Running } from './changed-config';
import { changesNothing, multipliersOf, settingOf } from './changed-config';

interface Props {
  readonly running: Running;
  readonly change: ConfigChange;
  readonly isBusy: boolean;
  readonly onCompare: (change: ConfigChange) => void;
}

export function ConfigEditor({ running, change: given, isBusy, onCompare }: Props) {
  const [change, setChange] = useState(given);
  useUnsaved(change !== given);
  const { off, on, set } = change;
  const filters = running.filters.map(({ name }) => name);
  const multipliers = multipliersOf(running);
  const isMultiplier = (setting: string): boolean => multipliers.some(({ key }) => setting.startsWith(`${key}=`));
  return (
    <Panel title="With another configuration">
      <SimpleGrid cols={{ base: 1, md: 2 }} spacing="lg">
        <div>
          <Checkbox.Group
            label="Filters that are asked"
            value={filters.filter((name) => !off.includes(name))}
            onChange={(asked) => setChange({ ...change, off: filters.filter((name) => !asked.includes(name)) })}
          >
            <Stack gap={4} mt={4}>
              {running.filters.map(({ name, summary }) => (
                <Checkbox key={name} value={name} label={name} size="xs" title={summary} />
              ))}
            </Stack>
          </Checkbox.Group>
          <TagsInput
            mt="xs"
            label="Additional filters"
            placeholder="NameOfFilter"
            value={[...on]}
            onChange={(names) => setChange({ ...change, on: names })}
            acceptValueOnBlur
          />
        </div>
        <div>
          <Text fw={600} mb={4}>
            Weigher multipliers
          </Text>
          <Stack gap={4}>
            {multipliers.map(({ name, key, value }) => {
              const changed = set.find((each) => each.startsWith(`${key}=`));
              const others = set.filter((each) => each !== changed);
              return (
                <Group key={name} justify="space-between" wrap="nowrap">
                  <Text size="xs" truncate id={`weigher-${name}`}>
                    {name}
                  </Text>
                  <NumberInput
                    aria-labelledby={`weigher-${name}`}
                    w={110}
                    step={0.5}
                    value={changed === undefined ? value : Number(settingOf(changed).value)}
                    onChange={(next) =>
                      setChange({ ...change, set: Number(next) === value ? others : [...others, `${key}=${next}`] })
                    }
                  />
                </Group>
              );
            })}
          </Stack>
          <TagsInput
            mt="xs"
            label="Other options"
            description="As group.name=value, with the names of the configuration file."
            placeholder="scheduler.max_placement_results=10"
            value={set.filter((each) => !isMultiplier(each))}
            onChange={(texts) => setChange({ ...change, set: [...set.filter(isMultiplier), ...texts] })}
            acceptValueOnBlur
          />
        </div>
      </SimpleGrid>
      <Group justify="flex-end" mt="sm">
        <Button
          loading={isBusy}
          disabled={changesNothing(change)}
          leftSection={<IconArrowsDiff size={14} />}
          onClick={() => onCompare(change)}
        >
          Compare
        </Button>
      </Group>
    </Panel>
  );
}
