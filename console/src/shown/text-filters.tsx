// A text filter of a list. Its value is in the address.
import type { TextInputProps } from '@mantine/core';
import { TextInput } from '@mantine/core';
import { useThrottledCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import type { Address } from '../address/use-address';
import { IconSearch } from './icons';

interface Props extends Omit<TextInputProps, 'value' | 'onChange' | 'name'> {
  readonly address: Address;
  /** The parameter in the address. */
  readonly name: string;
}

const WRITTEN_EVERY_MS = 150;

/**
 * Applies while the user types. It writes the first letter to the address at once, later ones at most every 150 ms, and
 * always the last. The field follows the address when a link, the back button or a reset changes it.
 */
export function TypedFilter({ address, name, ...rest }: Props) {
  const given = address.get(name);
  const [typed, setTyped] = useState(given);
  const written = useRef(given);
  const write = useThrottledCallback((text: string) => {
    written.current = text.trim();
    address.set({ [name]: written.current });
  }, WRITTEN_EVERY_MS);

  useEffect(() => {
    if (given !== written.current) setTyped(given);
    written.current = given;
  }, [given]);

  return (
    <TextInput
      type="search"
      placeholder="Any"
      leftSection={<IconSearch size={14} />}
      {...rest}
      value={typed}
      onChange={({ currentTarget: { value } }) => {
        setTyped(value);
        write(value);
      }}
    />
  );
}
