// The host filters of the report as a form; their values are in the address.
import { Button, MultiSelect, SimpleGrid } from '@mantine/core';
import { memo, useMemo, useState } from 'react';
import type { Address, SetAddress } from '../../address/use-address';
import {
  useFlavorNames,
  useHostAggregateChoices,
  useResourceClassNames,
  useTraitNames,
  useZoneNames,
} from '../../service/registries';
import type { ChoiceNames } from '../../shown/choice';
import { Choice } from '../../shown/choice';
import { IconFilterOff } from '../../shown/icons';
import { STATUS_NAMES, STATUSES } from '../../shown/status-text';
import { TypedFilter } from '../../shown/text-filters';
import { filtersOf, isFiltered, WITHOUT_FILTERS } from './host-query';

const OFFERED_AT_ONCE = 60;
/** The list of options is as wide as the longest name. */
const WIDE = { comboboxProps: { width: 'max-content', position: 'bottom-start' } } as const;

export function HostFiltersForm({ address }: { readonly address: Address }) {
  const { set } = address;
  const filters = filtersOf(address);
  const classes = useResourceClassNames();
  const zones = useZoneNames();
  const zoneChoices = useMemo(() => [...zones, { value: NO_ZONE, label: 'in no zone' }], [zones]);
  const [zone] = filters.availability_zone;
  const one = (name: 'host_aggregate' | 'resource_class' | 'flavor' | 'stranded') => ({
    name,
    value: filters[name],
    set,
  });
  return (
    <SimpleGrid component="search" cols={{ base: 2, sm: 4, xl: 8 }} spacing="xs" verticalSpacing="xs">
      <TypedFilter address={address} name="name" label="Name contains" />
      <StatusFilter values={filters.status} set={set} />
      <OneOf
        label="Zone"
        name="availability_zone"
        names={zoneChoices}
        value={zone === '' ? NO_ZONE : (zone ?? '')}
        set={set}
      />
      <OneOf {...one('host_aggregate')} label="Host aggregate" names={useHostAggregateChoices()} />
      <TraitFilter values={filters.trait} set={set} />
      <OneOf {...one('resource_class')} label="Has class" names={classes} />
      <OneOf {...one('flavor')} label="Has room for flavor" names={useFlavorNames()} />
      <OneOf {...one('stranded')} label="Has stranded" names={classes} />
    </SimpleGrid>
  );
}

/** No zone can have this name. */
const NO_ZONE = ':none';

export function ClearFilters({ address }: { readonly address: Address }) {
  if (!isFiltered(filtersOf(address))) return null;
  return (
    <Button
      variant="default"
      leftSection={<IconFilterOff size={16} />}
      onClick={() => address.set(WITHOUT_FILTERS, 'push')}
    >
      Clear filters
    </Button>
  );
}

interface OneProps {
  readonly label: string;
  /** The parameter in the address. */
  readonly name: string;
  readonly names: ChoiceNames;
  readonly value: string;
  readonly set: SetAddress;
}

/** Renders again only if its own value changes. */
const OneOf = memo(function OneOf({ name, set, ...rest }: OneProps) {
  return <Choice {...WIDE} {...rest} onChange={(value) => set({ [name]: value === NO_ZONE ? [''] : value }, 'push')} />;
});

interface SeveralProps {
  readonly values: readonly string[];
  readonly set: SetAddress;
}

const areAlike = (one: SeveralProps, other: SeveralProps): boolean =>
  one.set === other.set &&
  one.values.length === other.values.length &&
  one.values.every((value, at) => value === other.values[at]);

const StatusFilter = memo(function StatusFilter({ values, set }: SeveralProps) {
  return (
    <MultiSelect
      label="Status"
      placeholder={values.length === 0 ? 'Any' : ''}
      data={STATUSES.map((status) => ({ value: status, label: STATUS_NAMES[status] }))}
      value={[...values]}
      onChange={(status) => set({ status }, 'push')}
      clearable
    />
  );
}, areAlike);

/** A name that begins with `!` selects hosts without the trait. */
const TraitFilter = memo(function TraitFilter({ values, set }: SeveralProps) {
  const names = useTraitNames({ inUse: true });
  const [typed, setTyped] = useState('');
  const sign = typed.startsWith('!') ? '!' : '';
  const offered = new Set([...values, ...names.map((name) => `${sign}${name}`)]);
  return (
    <MultiSelect
      label="Traits (! for without)"
      placeholder={values.length === 0 ? 'Any' : ''}
      data={[...offered]}
      value={[...values]}
      onChange={(trait) => set({ trait }, 'push')}
      searchValue={typed}
      onSearchChange={setTyped}
      searchable
      clearable
      hidePickedOptions
      limit={OFFERED_AT_ONCE}
      nothingFoundMessage="No host has such a trait"
      {...WIDE}
    />
  );
}, areAlike);
