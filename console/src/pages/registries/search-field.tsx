// A search that narrows what is shown as one types; it goes into the address when one pauses.
import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { IconSearch } from '@tabler/icons-react';
import { useAddress } from '../../address/use-address';
import { useTyped } from '../../address/use-typed';

const PAUSE_MS = 200;

export function SearchField({ label }: { readonly label: string }) {
  const address = useAddress();
  const [typed, setTyped] = useTyped(address.get('q'));
  const put = useDebouncedCallback((q: string) => address.set({ q }), PAUSE_MS);
  return (
    <TextInput
      aria-label={label}
      placeholder={label}
      size="sm"
      w={300}
      maw="100%"
      value={typed}
      leftSection={<IconSearch size={16} aria-hidden />}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        put(event.currentTarget.value);
      }}
    />
  );
}
