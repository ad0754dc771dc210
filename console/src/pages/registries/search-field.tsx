import { TextInput } from '@mantine/core';
import { useAddress } from '../../address/use-address';
import { useTypedFilter } from '../../address/use-typed-filter';
import { IconSearch } from '../../shown/icons';

/** A search field that filters while the user types. */
export function SearchField({ label }: { readonly label: string }) {
  const { typed, type } = useTypedFilter(useAddress(), 'q');
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      size="sm"
      w={300}
      maw="100%"
      value={typed}
      leftSection={<IconSearch size={16} aria-hidden />}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}
