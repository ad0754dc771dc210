// Selects the instance of a batch to display.
import { Select, Stack, Tabs } from '@mantine/core';
import type { ReactNode } from 'react';
import type { Pass } from './decision-document';

/** More tabs than this do not fit in one row. */
const TABS = 6;

interface Props {
  readonly passes: readonly Pass[];
  readonly chosen: number;
  readonly onChoose: (at: number) => void;
  /** Content of the selected pass. */
  readonly children: ReactNode;
}

export function PassChoice({ passes, chosen, onChoose, children }: Props) {
  if (passes.length < 2) return children;
  const choices = passes.map((pass, at) => ({ value: String(at), label: nameOf(pass) }));
  if (passes.length > TABS) {
    return (
      <Stack gap="md">
        <Select
          label="Instance"
          size="xs"
          maw={420}
          data={choices}
          value={String(chosen)}
          allowDeselect={false}
          searchable
          onChange={(value) => onChoose(Number(value ?? 0))}
        />
        {children}
      </Stack>
    );
  }
  return (
    <Tabs value={String(chosen)} onChange={(value) => onChoose(Number(value ?? 0))}>
      <Tabs.List aria-label="Instances">
        {choices.map(({ value, label }) => (
          <Tabs.Tab key={value} value={value}>
            {label}
          </Tabs.Tab>
        ))}
      </Tabs.List>
      <Tabs.Panel value={String(chosen)} pt="md">
        {children}
      </Tabs.Panel>
    </Tabs>
  );
}

function nameOf({ index, phase, selected }: Pass): string {
  if (phase === 'alternates') return 'Alternates';
  return `Instance ${index + 1}: ${selected?.host ?? 'no host'}`;
}
