// Text filters of lists. Their values are in the address.
import type { TextInputProps } from '@mantine/core';
import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Address } from '../address/use-address';
import { useTyped } from '../address/use-typed';
import { useTypedFilter } from '../address/use-typed-filter';
import { IconSearch } from './icons';

interface Props extends Omit<TextInputProps, 'value' | 'onChange' | 'name'> {
  readonly address: Address;
  /** The parameter in the address. */
  readonly name: string;
}

/** Applies while the user types. */
export function TypedFilter({ address, name, ...rest }: Props) {
  const { typed, type } = useTypedFilter(address, name);
  return (
    <TextInput
      size="xs"
      type="search"
      placeholder="Any"
      leftSection={<IconSearch size={14} aria-hidden />}
      {...rest}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}

/** Applies when the user presses Enter or leaves the field, because the service compares the whole text. */
export function EnteredFilter({ address, name, ...rest }: Props) {
  const given = address.get(name);
  const [typed, setTyped] = useTyped(given);
  const [isEdited, setEdited] = useState(false);
  const apply = (): void => {
    setEdited(false);
    if (typed.trim() !== given) address.set({ [name]: typed.trim() }, 'push');
  };
  return (
    <TextInput
      size="xs"
      placeholder="Any"
      {...rest}
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
