// Selects what the map shows and how it groups hosts.
import { Group, SegmentedControl, Select } from '@mantine/core';
import { useAddress } from '../../address/use-address';
import { useTotalCapacity } from '../../service/questions';
import { useFlavorNames, useTraitNames } from '../../service/registries';
import { AddressChoice } from '../../shown/address-choice';
import { sortedClasses } from '../../shown/amount';
import { Choice } from '../../shown/choice';
import type { GroupKind } from '../../shown/group-kind';
import { GROUP_CHOICES } from '../../shown/group-kind';
import type { Subject, SubjectKind } from './map-subject';
import { PARAMETERS } from './map-subject';

interface Props {
  readonly subject: Subject;
  readonly by: GroupKind;
}

const KINDS: readonly { readonly value: SubjectKind; readonly label: string }[] = [
  { value: 'use', label: 'Use of a class' },
  { value: 'stranded', label: 'Stranded' },
  { value: 'flavor', label: 'Room for a flavor' },
  { value: 'trait', label: 'Trait' },
  { value: 'status', label: 'Status' },
];
const VIEWS = [
  { value: 'map', label: 'Map' },
  { value: 'table', label: 'Table' },
];
const NAMED = { use: 'Resource class', stranded: 'Resource class', flavor: 'Flavor', trait: 'Trait' } as const;

export function MapChoices({ subject, by }: Props) {
  const { set } = useAddress();
  const names = useNames(subject.kind);
  const named = subject.kind === 'status' ? undefined : subject.kind;
  return (
    <Group gap="sm" align="flex-end">
      <SegmentedControl
        aria-label="Colour by"
        data={[...KINDS]}
        value={subject.kind}
        onChange={(kind) => set({ by: kind, only: '' })}
        visibleFrom="sm"
      />
      <Select
        aria-label="Colour by"
        data={[...KINDS]}
        value={subject.kind}
        onChange={(kind) => kind !== null && set({ by: kind, only: '' })}
        allowDeselect={false}
        w={260}
        hiddenFrom="sm"
      />
      {named !== undefined && (
        <Choice
          aria-label={NAMED[named]}
          placeholder={`Which ${NAMED[named].toLowerCase()}?`}
          names={names}
          value={subject.name}
          onChange={(name) => set({ [PARAMETERS[named]]: name, only: '' })}
          clearable={false}
          allowDeselect={false}
          w={260}
        />
      )}
      <SegmentedControl aria-label="Group by" data={GROUP_CHOICES} value={by} onChange={(group) => set({ group })} />
      <AddressChoice label="Show as" name="view" data={VIEWS} />
    </Group>
  );
}

/** The options of a subject: classes of the cloud, traits that some provider has, or flavors by name. */
function useNames(kind: SubjectKind): readonly string[] {
  const isOfClass = kind === 'use' || kind === 'stranded';
  const classes = useTotalCapacity({ enabled: isOfClass });
  const traits = useTraitNames({ inUse: true, isNeeded: kind === 'trait' });
  const flavors = useFlavorNames({ isNeeded: kind === 'flavor' });
  if (isOfClass) return sortedClasses(Object.keys(classes.data?.groups[0]?.resource_classes ?? {}));
  return kind === 'trait' ? traits : flavors;
}
