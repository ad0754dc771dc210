// Filters of the list of instances other than the name; their values are in the address.
import { Select, TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Address } from '../../address/use-address';
import { useTyped } from '../../address/use-typed';
import { useFlavorNames } from '../../service/names';

const OFFERED_AT_ONCE = 60;

export function InstanceFilters({ address }: { readonly address: Address }) {
  const flavors = useFlavorNames();
  const flavor = address.get('flavor');
  return (
    <>
      <TextFilter address={address} name="host" label="Host" />
      <TextFilter address={address} name="project_id" label="Project" />
      <Select
        label="Flavor"
        size="xs"
        w={170}
        placeholder="Any"
        data={flavor === '' || flavors.includes(flavor) ? [...flavors] : [flavor, ...flavors]}
        value={flavor === '' ? null : flavor}
        onChange={(name) => address.set({ flavor: name ?? undefined }, 'push')}
        searchable
        clearable
        limit={OFFERED_AT_ONCE}
        nothingFoundMessage="None of that name"
      />
    </>
  );
}

/** Applies when the user presses Enter or leaves the field, because the service compares the whole text. */
function TextFilter({
  address,
  name,
  label,
}: {
  readonly address: Address;
  readonly name: string;
  readonly label: string;
}) {
  const given = address.get(name);
  const [typed, setTyped] = useTyped(given);
  const [isEdited, setEdited] = useState(false);
  const apply = (): void => {
    setEdited(false);
    if (typed.trim() !== given) address.set({ [name]: typed.trim() }, 'push');
  };
  return (
    <TextInput
      label={label}
      size="xs"
      w={150}
      placeholder="Any"
      value={typed}
      onChange={(event) => {
        setEdited(true);
        setTyped(event.currentTarget.value);
      }}
      onBlur={() => isEdited && apply()}
      onKeyDown={({ key }) => key === 'Enter' && apply()}
    />
  );
}
