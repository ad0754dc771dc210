// Selects a trait. A typed name that no trait has can be created as a custom trait, if the user's roles permit it.
import type { SelectProps } from '@mantine/core';
import { Select } from '@mantine/core';
import { useState } from 'react';
import { useTraitNames } from '../service/registries';
import { useSession } from '../session/session';
import { useChange } from '../shown/use-change';
import { customName, faultOfName } from './custom-name';

/** Set while the compute service of a host is disabled, by the service alone. */
export const DISABLED_TRAIT = 'COMPUTE_STATUS_DISABLED';

/** The compute service sets such traits again with each of its reports. */
export const isOfService = (trait: string): boolean => trait.startsWith('COMPUTE_');

interface Props extends Omit<SelectProps, 'data' | 'value' | 'onChange' | 'filter'> {
  readonly value: string;
  readonly onChange: (trait: string) => void;
  readonly isOffered?: (trait: string) => boolean;
  readonly creates?: boolean;
}

export function TraitSelect({ value, onChange, isOffered = () => true, creates = true, ...shown }: Props) {
  const { may, service } = useSession();
  const [typed, setTyped] = useState('');
  const known = useTraitNames();
  const names = known.filter((name) => name !== DISABLED_TRAIT && isOffered(name));
  const creation = useChange({
    run: (trait: string) => service.placement.traits.create(trait),
    topics: ['registries'],
    done: (_, trait) => ({ title: `${trait} is created`, undo: () => service.placement.traits.delete(trait) }),
    failed: (trait) => `${trait} was not created`,
  });
  const create = (trait: string): void => creation.mutate(trait, { onSuccess: () => onChange(trait) });
  const made = customName(typed);
  const isUnknown = !known.includes(typed.trim().toUpperCase()) && faultOfName(made, known) === undefined;
  const isNew = creates && isUnknown && may('placement:traits:update');
  return (
    <Select
      {...shown}
      data={[
        ...(isNew ? [{ value: made, label: `Create ${made}` }] : []),
        ...(value === '' || names.includes(value) ? names : [value, ...names]).filter(
          (name) => !isNew || name !== made,
        ),
      ]}
      value={value === '' ? null : value}
      onChange={(trait) => (trait !== null && isNew && trait === made ? create(trait) : onChange(trait ?? ''))}
      searchValue={typed}
      onSearchChange={setTyped}
      filter={({ options, search, limit }) =>
        options
          .filter((each) => 'value' in each)
          .filter(({ value: name }) => (isNew && name === made) || name.includes(search.trim().toUpperCase()))
          .slice(0, limit)
      }
      searchable
      limit={60}
      nothingFoundMessage="No such trait"
    />
  );
}
