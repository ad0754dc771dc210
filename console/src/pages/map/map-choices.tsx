// Selects what the map shows and how it groups hosts.
import { Group, SegmentedControl, Select } from '@mantine/core';
import { useFlavorNames } from '../../service/names';
import { useAnswer } from '../../service/questions';
import { useSession } from '../../session/session';
import { sortedClasses } from '../../shown/amount';
import { byName } from '../../shown/by-name';
import type { GroupKind, Subject, SubjectKind } from './map-subject';
import { parameterOf } from './map-subject';

interface Props {
  readonly subject: Subject;
  readonly by: GroupKind;
  readonly view: 'map' | 'table';
  readonly onChange: (changes: Readonly<Record<string, string>>) => void;
}

const KINDS: readonly { readonly value: SubjectKind; readonly label: string }[] = [
  { value: 'use', label: 'Use of a class' },
  { value: 'stranded', label: 'Stranded' },
  { value: 'flavor', label: 'Room for a flavor' },
  { value: 'trait', label: 'Trait' },
  { value: 'status', label: 'Status' },
];
const NAMED = { use: 'Resource class', stranded: 'Resource class', flavor: 'Flavor', trait: 'Trait' } as const;

export function MapChoices({ subject, by, view, onChange }: Props) {
  const names = useNames(subject.kind);
  return (
    <Group gap="sm" align="flex-end">
      <SegmentedControl
        size="xs"
        aria-label="Colour by"
        data={[...KINDS]}
        value={subject.kind}
        onChange={(kind) => onChange({ by: kind, only: '' })}
        visibleFrom="sm"
      />
      <Select
        size="xs"
        aria-label="Colour by"
        data={[...KINDS]}
        value={subject.kind}
        onChange={(kind) => kind !== null && onChange({ by: kind, only: '' })}
        allowDeselect={false}
        w={260}
        hiddenFrom="sm"
      />
      {subject.kind !== 'status' && (
        <Select
          size="xs"
          aria-label={NAMED[subject.kind]}
          placeholder={`Which ${NAMED[subject.kind].toLowerCase()}?`}
          data={withChosen(names, subject.name)}
          value={subject.name === '' ? null : subject.name}
          onChange={(name) => {
            if (name !== null) onChange({ [parameterOf(kindOf(subject))]: name, only: '' });
          }}
          allowDeselect={false}
          searchable
          limit={100}
          nothingFoundMessage="None of that name"
          w={260}
        />
      )}
      <SegmentedControl
        size="xs"
        aria-label="Group by"
        data={[
          { value: 'availability_zone', label: 'Zones' },
          { value: 'host_aggregate', label: 'Host aggregates' },
        ]}
        value={by}
        onChange={(group) => onChange({ group })}
      />
      <SegmentedControl
        size="xs"
        aria-label="Show as"
        data={[
          { value: 'map', label: 'Map' },
          { value: 'table', label: 'Table' },
        ]}
        value={view}
        onChange={(next) => onChange({ view: next === 'map' ? '' : next })}
      />
    </Group>
  );
}

const kindOf = ({ kind }: Subject): Exclude<SubjectKind, 'status'> => (kind === 'status' ? 'use' : kind);

const withChosen = (names: readonly string[], chosen: string): string[] =>
  chosen === '' || names.includes(chosen) ? [...names] : [chosen, ...names];

/** The options of a subject: classes of the cloud, traits that some provider has, or flavors by name. */
function useNames(kind: SubjectKind): readonly string[] {
  const { may } = useSession();
  const classes = useAnswer(
    'hosts',
    ['capacity', 'total'],
    ({ reports }, signal) => reports.capacity({ group_by: 'total' }, { signal }),
    { enabled: (kind === 'use' || kind === 'stranded') && may('berth:reports:capacity') },
  );
  const traits = useAnswer(
    'hosts',
    ['traits', 'associated'],
    ({ placement }, signal) => placement.traits.list({ associated: 'true' }, { signal }),
    { enabled: kind === 'trait' && may('placement:traits:list') },
  );
  const flavors = useFlavorNames({ isNeeded: kind === 'flavor' });
  if (kind === 'use' || kind === 'stranded')
    return sortedClasses(Object.keys(classes.data?.groups[0]?.resource_classes ?? {}));
  if (kind === 'trait') return [...(traits.data?.traits ?? [])].sort(byName);
  return [...flavors].sort(byName);
}
