// The host filters of the report as a form; their values are in the address.
import { Button, MultiSelect, Select, SimpleGrid, TextInput } from '@mantine/core';
import { memo, useState } from 'react';
import type { Address, SetAddress } from '../../address/use-address';
import { useTypedFilter } from '../../address/use-typed-filter';
import {
  useFlavorNames,
  useHostAggregateNames,
  useResourceClassNames,
  useTraitNames,
  useZoneNames,
} from '../../service/names';
import { IconFilterOff, IconSearch } from '../../shown/icons';
import { STATUS_NAMES } from '../../shown/status-text';
import { showsStranded } from './column-choice';
import { filtersOf, isFiltered, STATUSES, WITHOUT_FILTERS } from './host-query';
import { useHostsAhead } from './use-host-pages';

const OFFERED_AT_ONCE = 60;

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
  const { typed, type } = useTypedFilter(address, 'name', (name) =>
    ask({
      filters: { ...filtersOf(address), name },
      sort: address.get('sort') || 'name',
      withStranded: showsStranded(address),
    }),
  );
  return (
    <TextInput
      label="Name contains"
      size="xs"
      type="search"
      placeholder="Any"
      leftSection={<IconSearch size={14} aria-hidden />}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
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
  const choose = (value: string | null): void =>
    set({ availability_zone: value === null ? undefined : [value === NO_ZONE ? '' : value] }, 'push');
  return (
    <OneOf
      label="Zone"
      value={zone === '' ? NO_ZONE : (zone ?? '')}
      names={[...useZoneNames(), { value: NO_ZONE, label: 'in no zone' }]}
      onChange={choose}
    />
  );
}, areAlike);

const AggregateFilter = memo(function AggregateFilter({ value, set }: SingleProps) {
  const names = useHostAggregateNames().map(({ uuid, name }) => ({ value: uuid, label: name }));
  const choose = (uuid: string | null): void => set({ host_aggregate: uuid ?? undefined }, 'push');
  return <OneOf label="Host aggregate" value={value} names={names} onChange={choose} />;
});

const ClassFilter = memo(function ClassFilter({ value, set }: SingleProps) {
  const choose = (name: string | null): void => set({ resource_class: name ?? undefined }, 'push');
  return <OneOf label="Has class" value={value} names={useResourceClassNames()} onChange={choose} />;
});

const FlavorFilter = memo(function FlavorFilter({ value, set }: SingleProps) {
  const choose = (name: string | null): void => set({ flavor: name ?? undefined }, 'push');
  return <OneOf label="Has room for flavor" value={value} names={useFlavorNames()} onChange={choose} />;
});

const StrandedFilter = memo(function StrandedFilter({ value, set }: SingleProps) {
  const choose = (name: string | null): void => set({ stranded: name ?? undefined }, 'push');
  return <OneOf label="Has stranded" value={value} names={useResourceClassNames()} onChange={choose} />;
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
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  );
}, areAlike);

interface OneOfProps {
  readonly label: string;
  readonly value: string;
  readonly names: readonly (string | { readonly value: string; readonly label: string })[];
  readonly onChange: (value: string | null) => void;
}

function OneOf({ label, value, names, onChange }: OneOfProps) {
  // A value from a link is shown even if the registry does not have it.
  const isKnown = value === '' || names.some((name) => (typeof name === 'string' ? name : name.value) === value);
  return (
    <Select
      label={label}
      size="xs"
      placeholder="Any"
      data={isKnown ? [...names] : [value, ...names]}
      value={value === '' ? null : value}
      onChange={onChange}
      searchable
      clearable
      limit={OFFERED_AT_ONCE}
      nothingFoundMessage="None of that name"
      comboboxProps={{ width: 'max-content', position: 'bottom-start' }}
    />
  );
}
