// The host filters of the report as a form; their values are in the address.
import { Button, MultiSelect, SimpleGrid } from '@mantine/core';
import { memo, useState } from 'react';
import type { Address, SetAddress } from '../../address/use-address';
import {
  useFlavorNames,
  useHostAggregateNames,
  useResourceClassNames,
  useTraitNames,
  useZoneNames,
} from '../../service/registries';
import { Choice } from '../../shown/choice';
import { IconFilterOff } from '../../shown/icons';
import { STATUS_NAMES, STATUSES } from '../../shown/status-text';
import { TypedFilter } from '../../shown/text-filters';
import { showsStranded } from './column-choice';
import { filtersOf, isFiltered, WITHOUT_FILTERS } from './host-query';
import { useHostsAhead } from './use-host-pages';

const OFFERED_AT_ONCE = 60;
/** The list of options is as wide as the longest name. */
const WIDE = { comboboxProps: { width: 'max-content', position: 'bottom-start' } } as const;

/** Each filter renders again only if its own value changes. */
export function HostFiltersForm({ address }: { readonly address: Address }) {
  const { set } = address;
  const filters = filtersOf(address);
  return (
    <SimpleGrid component="search" cols={{ base: 2, sm: 4, xl: 8 }} spacing="xs" verticalSpacing="xs">
      <NameFilter address={address} />
      <StatusFilter values={filters.status} set={set} />
      <ZoneFilter values={filters.availability_zone} set={set} />
      <AggregateFilter value={filters.host_aggregate} set={set} />
      <TraitFilter values={filters.trait} set={set} />
      <ClassFilter value={filters.resource_class} set={set} />
      <FlavorFilter value={filters.flavor} set={set} />
      <StrandedFilter value={filters.stranded} set={set} />
    </SimpleGrid>
  );
}

export function ClearFilters({ address }: { readonly address: Address }) {
  if (!isFiltered(filtersOf(address))) return null;
  return (
    <Button
      variant="default"
      size="xs"
      leftSection={<IconFilterOff size={16} aria-hidden />}
      onClick={() => address.set(WITHOUT_FILTERS, 'push')}
    >
      Clear filters
    </Button>
  );
}

function NameFilter({ address }: { readonly address: Address }) {
  const ask = useHostsAhead();
  return (
    <TypedFilter
      address={address}
      name="name"
      label="Name contains"
      ahead={(name) =>
        ask({
          filters: { ...filtersOf(address), name },
          sort: address.get('sort') || 'name',
          withStranded: showsStranded(address),
        })
      }
    />
  );
}

interface SingleProps {
  readonly value: string;
  readonly set: SetAddress;
}

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
      size="xs"
      placeholder={values.length === 0 ? 'Any' : ''}
      data={STATUSES.map((status) => ({ value: status, label: STATUS_NAMES[status] }))}
      value={[...values]}
      onChange={(status) => set({ status }, 'push')}
      clearable
    />
  );
}, areAlike);

/** No zone can have this name. */
const NO_ZONE = ':none';

const ZoneFilter = memo(function ZoneFilter({ values: [zone], set }: SeveralProps) {
  return (
    <Choice
      {...WIDE}
      label="Zone"
      value={zone === '' ? NO_ZONE : (zone ?? '')}
      names={[...useZoneNames(), { value: NO_ZONE, label: 'in no zone' }]}
      onChange={(name) => set({ availability_zone: name === '' ? undefined : [name === NO_ZONE ? '' : name] }, 'push')}
    />
  );
}, areAlike);

const AggregateFilter = memo(function AggregateFilter({ value, set }: SingleProps) {
  const names = useHostAggregateNames().map(({ uuid, name }) => ({ value: uuid, label: name }));
  const choose = (uuid: string): void => set({ host_aggregate: uuid }, 'push');
  return <Choice {...WIDE} label="Host aggregate" value={value} names={names} onChange={choose} />;
});

const ClassFilter = memo(function ClassFilter({ value, set }: SingleProps) {
  const choose = (name: string): void => set({ resource_class: name }, 'push');
  return <Choice {...WIDE} label="Has class" value={value} names={useResourceClassNames()} onChange={choose} />;
});

const FlavorFilter = memo(function FlavorFilter({ value, set }: SingleProps) {
  const choose = (name: string): void => set({ flavor: name }, 'push');
  return <Choice {...WIDE} label="Has room for flavor" value={value} names={useFlavorNames()} onChange={choose} />;
});

const StrandedFilter = memo(function StrandedFilter({ value, set }: SingleProps) {
  const choose = (name: string): void => set({ stranded: name }, 'push');
  return <Choice {...WIDE} label="Has stranded" value={value} names={useResourceClassNames()} onChange={choose} />;
});

/** A name that begins with `!` selects hosts without the trait. */
const TraitFilter = memo(function TraitFilter({ values, set }: SeveralProps) {
  const names = useTraitNames({ inUse: true });
  const [typed, setTyped] = useState('');
  const sign = typed.startsWith('!') ? '!' : '';
  const offered = new Set([...values, ...names.map((name) => `${sign}${name}`)]);
  return (
    <MultiSelect
      label="Traits (! for without)"
      size="xs"
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
