// Selects the instance of a batch to display.
import { Select } from '@mantine/core';
import type { Pass } from './decision-document';

interface Props {
  readonly passes: readonly Pass[];
  readonly chosen: number;
  readonly onChoose: (at: number) => void;
}

export function PassChoice({ passes, chosen, onChoose }: Props) {
  if (passes.length < 2) return null;
  return (
    <Select
      label="Instance"
      size="xs"
      maw={420}
      data={passes.map((pass, at) => ({ value: String(at), label: nameOf(pass) }))}
      value={String(chosen)}
      allowDeselect={false}
      searchable
      onChange={(value) => onChoose(Number(value ?? 0))}
    />
  );
}

function nameOf({ index, phase, selected }: Pass): string {
  if (phase === 'alternates') return 'Alternates';
  return `Instance ${index + 1}: ${selected?.host ?? 'no host'}`;
}
