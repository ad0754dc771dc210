// Columns for the requirements in extra specs of a flavor or properties of an image: traits and the rest.
import { Group, Text } from '@mantine/core';
import type { ListColumn } from '../../shown/list-table';
import { Note } from '../../shown/note';
import { TraitChip } from '../../shown/trait-chip';
import { KeyChips } from './key-chips';
import { pairTexts } from './pairs';
import { isRequirement, requirementsOf } from './requirements';

type Texts = Readonly<Record<string, string>>;

export const askedColumns = <Row,>(
  rest: Pick<ListColumn<Row>, 'key' | 'name' | 'width'>,
  textsOf: (row: Row) => Texts,
): readonly ListColumn<Row>[] => [
  {
    key: 'traits',
    name: 'Traits it asks for',
    width: 'minmax(220px, 1.4fr)',
    value: (row) => requirementsOf(textsOf(row)).length,
    csv: (row) =>
      requirementsOf(textsOf(row))
        .map(({ trait, isForbidden }) => (isForbidden ? `!${trait}` : trait))
        .join(' '),
    cell: (row) => <RequiredTraits record={textsOf(row)} />,
  },
  {
    ...rest,
    value: (row) => Object.keys(withoutTraits(textsOf(row))).length,
    csv: (row) => pairTexts(textsOf(row)).join(' '),
    cell: (row) => <KeyChips record={withoutTraits(textsOf(row))} />,
  },
];

const withoutTraits = (texts: Texts): Texts =>
  Object.fromEntries(Object.entries(texts).filter(([key]) => !isRequirement(key)));

const SHOWN = 2;

/** The required and forbidden traits of a record; a word marks the forbidden ones. */
function RequiredTraits({ record }: { readonly record: Readonly<Record<string, string>> }) {
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
