// A text filter that applies while the user types. It writes the first letter to the address at once, later ones at
// most every 150 ms, and always the last. The field follows the address when a link, the back button or a reset changes
// it.
import { useThrottledCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import type { Address } from './use-address';

const WRITTEN_EVERY_MS = 150;

interface TypedFilter {
  /** The text in the field. */
  readonly typed: string;
  /** The field's change handler. */
  readonly type: (typed: string) => void;
}

export function useTypedFilter(address: Address, name: string): TypedFilter {
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
  const type = (text: string): void => {
    setTyped(text);
    write(text);
  };
  return { typed, type };
}
