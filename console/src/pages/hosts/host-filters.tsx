// Which hosts are meant: a form over the filters of the report, as the address has them.
import { memo, useState } from 'react';
import { Button, MultiSelect, Select, SimpleGrid, TextInput } from '@mantine/core';
import { IconFilterOff, IconSearch } from '@tabler/icons-react';
import type { Address } from '../../address/use-address';
import { useTypedFilter } from '../../address/use-typed-filter';
import {
  useFlavorNames,
  useHostAggregateNames,
  useResourceClassNames,
  useTraitNames,
  useZoneNames,
} from '../../service/names';
import { STATUSES, WITHOUT_FILTERS, filtersOf, isFiltered } from './host-query';
import type { SingleFilter } from './host-query';

const OFFERED_AT_ONCE = 60;

/** Drawn again when the address changes, not with every answer of the page around it. */
export const HostFiltersForm = memo(function HostFiltersForm({ address }: { readonly address: Address }) {
  const filters = filtersOf(address);
  const set = (name: SingleFilter) => (value: string | null) => address.set({ [name]: value ?? undefined }, 'push');
  const aggregates = useHostAggregateNames();
  return (
    <SimpleGrid component="search" cols={{ base: 2, sm: 4, xl: 7 }} spacing="xs" verticalSpacing="xs">
      <NameFilter address={address} />
      <MultiSelect
        label="Status"
        size="xs"
        placeholder={filters.status.length === 0 ? 'Any' : ''}
        data={[...STATUSES]}
        value={[...filters.status]}
        onChange={(status) => address.set({ status }, 'push')}
        clearable
      />
      <ZoneFilter address={address} />
      <OneOf
        label="Host aggregate"
        value={filters.host_aggregate}
        names={aggregates.map(({ uuid, name }) => ({ value: uuid, label: name }))}
        onChange={set('host_aggregate')}
      />
      <TraitFilter address={address} />
      <OneOf
        label="Has class"
        value={filters.resource_class}
        names={useResourceClassNames()}
        onChange={set('resource_class')}
      />
      <OneOf label="Has room for flavor" value={filters.flavor} names={useFlavorNames()} onChange={set('flavor')} />
    </SimpleGrid>
  );
});

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
  const [typed, type] = useTypedFilter(address, 'name');
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

interface OneOfProps {
  readonly label: string;
  readonly value: string;
  readonly names: readonly (string | { readonly value: string; readonly label: string })[];
  readonly onChange: (value: string | null) => void;
}

function OneOf({ label, value, names, onChange }: OneOfProps) {
  // What a link names is shown, whether or not the registry has it.
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

/** No zone can be called so. */
const NO_ZONE = ':none';

function ZoneFilter({ address }: { readonly address: Address }) {
  const [zone] = filtersOf(address).availability_zone;
  const set = (value: string | null): void =>
    address.set({ availability_zone: value === null ? undefined : [value === NO_ZONE ? '' : value] }, 'push');
  return (
    <OneOf
      label="Zone"
      value={zone === '' ? NO_ZONE : (zone ?? '')}
      names={[...useZoneNames(), { value: NO_ZONE, label: 'in no zone' }]}
      onChange={set}
    />
  );
}

/** A name that begins with ! asks for hosts without the trait. */
function TraitFilter({ address }: { readonly address: Address }) {
  const value = address.all('trait');
  const names = useTraitNames({ inUse: true });
  const [typed, setTyped] = useState('');
  const sign = typed.startsWith('!') ? '!' : '';
  const offered = new Set([...value, ...names.map((name) => `${sign}${name}`)]);
  return (
    <MultiSelect
      label="Traits (! for without)"
      size="xs"
      placeholder={value.length === 0 ? 'Any' : ''}
      data={[...offered]}
      value={[...value]}
      onChange={(trait) => address.set({ trait }, 'push')}
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
}
