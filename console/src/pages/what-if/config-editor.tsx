// Edits the configuration of a comparison: filters, multipliers of weighers, other options.
import { Button, Checkbox, Grid, Group, NumberInput, Paper, Stack, TagsInput, Text, Title } from '@mantine/core';
import { useState } from 'react';
import { useUnsaved } from '../../shell/unsaved';
import { IconArrowsDiff } from '../../shown/icons';
import type { ConfigChange, Running } from './changed-config';
import { changesNothing, settingOf } from './changed-config';

interface Props {
  readonly running: Running;
  readonly change: ConfigChange;
  readonly isBusy: boolean;
  readonly onCompare: (change: ConfigChange) => void;
}

/** The weigher's multiplier option. */
const multiplierOf = (options: Running['weighers'][number]['options']) =>
  options.find(({ name }) => name.endsWith('_multiplier'));

export function ConfigEditor({ running, change: given, isBusy, onCompare }: Props) {
  const [change, setChange] = useState(given);
  useUnsaved(change !== given);
  const { off, on, set } = change;
  const multipliers = running.weighers.flatMap(({ name, options }) => {
    const option = multiplierOf(options);
    return option === undefined ? [] : [{ name, option, key: `${option.group}.${option.name}` }];
  });
  const keys = new Set(multipliers.map(({ key }) => key));
  const others = set.filter((each) => !keys.has(each.slice(0, each.indexOf('='))));
  const withSetting = (key: string, value: string): void =>
    setChange({
      ...change,
      set: [...set.filter((each) => !each.startsWith(`${key}=`)), ...(value === '' ? [] : [`${key}=${value}`])],
    });
  return (
    <Paper withBorder p="md" component="section" aria-label="Changed configuration">
      <Title order={2} size="h5" mb="xs">
        With another configuration
      </Title>
      <Grid gap="lg">
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Text size="sm" fw={500} mb={4} id="filters-asked">
            Filters that are asked
          </Text>
          <Checkbox.Group
            aria-labelledby="filters-asked"
            value={running.filters.map(({ name }) => name).filter((name) => !off.includes(name))}
            onChange={(asked) =>
              setChange({
                ...change,
                off: running.filters.map(({ name }) => name).filter((name) => !asked.includes(name)),
              })
            }
          >
            <Stack gap={4}>
              {running.filters.map(({ name, summary }) => (
                <Checkbox key={name} value={name} label={name} size="xs" title={summary} />
              ))}
            </Stack>
          </Checkbox.Group>
          <TagsInput
            mt="xs"
            size="xs"
            label="Additional filters"
            placeholder="NameOfFilter"
            value={[...on]}
            onChange={(names) => setChange({ ...change, on: names })}
            acceptValueOnBlur
          />
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 6 }}>
          <Text size="sm" fw={500} mb={4}>
            Weigher multipliers
          </Text>
          <Stack gap={4}>
            {multipliers.map(({ name, option, key }) => {
              const changed = set.find((each) => each.startsWith(`${key}=`));
              return (
                <Group key={name} justify="space-between" wrap="nowrap">
                  <Text size="xs" truncate id={`weigher-${name}`}>
                    {name}
                  </Text>
                  <NumberInput
                    aria-labelledby={`weigher-${name}`}
                    size="xs"
                    w={110}
                    step={0.5}
                    value={changed === undefined ? Number(option.value) : Number(settingOf(changed).value)}
                    onChange={(value) => withSetting(key, Number(value) === Number(option.value) ? '' : String(value))}
                  />
                </Group>
              );
            })}
          </Stack>
          <TagsInput
            mt="xs"
            size="xs"
            label="Other options"
            description="As group.name=value, with the names of the configuration file."
            placeholder="scheduler.max_placement_results=10"
            value={others}
            onChange={(texts) =>
              setChange({ ...change, set: [...set.filter((each) => !others.includes(each)), ...texts] })
            }
            acceptValueOnBlur
          />
        </Grid.Col>
      </Grid>
      <Group justify="flex-end" mt="sm">
        <Button
          size="xs"
          loading={isBusy}
          disabled={changesNothing(change)}
          leftSection={<IconArrowsDiff size={14} aria-hidden />}
          onClick={() => onCompare(change)}
        >
          Compare
        </Button>
      </Group>
    </Paper>
  );
}
