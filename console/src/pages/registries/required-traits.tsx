// The required and forbidden traits of a record; a word marks the forbidden ones.
import { Group, Text } from '@mantine/core';
import { Note } from '../../shown/note';
import { TraitChip } from '../../shown/trait-chip';
import { requirementsOf } from './requirements';

const SHOWN = 2;

export function RequiredTraits({ record }: { readonly record: Readonly<Record<string, string>> }) {
  const all = requirementsOf(record);
  if (all.length === 0) return <>–</>;
  return (
    <Group gap={4} wrap="nowrap">
      {all.slice(0, SHOWN).map(({ trait, isForbidden, group }) => (
        <Group key={`${group}:${trait}`} gap={4} wrap="nowrap">
          {isForbidden && <Text size="xs">not</Text>}
          <TraitChip trait={trait} />
        </Group>
      ))}
      {all.length > SHOWN && <Note>{`+ ${all.length - SHOWN}`}</Note>}
    </Group>
  );
}
