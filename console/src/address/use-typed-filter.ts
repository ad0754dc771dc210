// A filter that narrows what is shown as one types. The first letter goes into the address at once, what follows it at most
// every so often, the last of it always; and the field follows the address when that changes by other ways: a link, the way
// back, the filters being cleared.
import { useEffect, useRef, useState } from 'react';
import { useThrottledCallback } from '@mantine/hooks';
import type { Address } from './use-address';

const WRITTEN_EVERY_MS = 150;

interface TypedFilter {
  /** What stands in the field. */
  readonly typed: string;
  /** To be called with every change of it. */
  readonly type: (typed: string) => void;
}

/** `ahead` is told what goes into the address before the page follows it: whoever asks for something may begin. */
export function useTypedFilter(address: Address, name: string, ahead?: (written: string) => void): TypedFilter {
  const given = address.get(name);
  const [typed, setTyped] = useState(given);
  const written = useRef(given);
  const write = useThrottledCallback((text: string) => {
    written.current = text.trim();
    ahead?.(written.current);
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
