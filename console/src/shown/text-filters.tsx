// A text filter of a list. Its value is in the address.
import type { TextInputProps } from '@mantine/core';
import { TextInput } from '@mantine/core';
import type { Address } from '../address/use-address';
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
      type="search"
      placeholder="Any"
      leftSection={<IconSearch size={14} />}
      {...rest}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}
