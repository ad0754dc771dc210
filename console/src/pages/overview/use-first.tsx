// The first entries of a list and a button for all of them; the address holds the expanded lists.
import { Button } from '@mantine/core';
import type { ReactNode } from 'react';
import { useAddress } from '../../address/use-address';

export function useFirst<T>(
  name: string,
  list: readonly T[],
  most: number,
): { readonly shown: readonly T[]; readonly more: ReactNode } {
  const { all, set } = useAddress();
  const open = all('all');
  const isOpen = open.includes(name);
  if (list.length <= most) return { shown: list, more: null };
  const toggle = (): void => set({ all: isOpen ? open.filter((each) => each !== name) : [...open, name] });
  return {
    shown: isOpen ? list : list.slice(0, most),
    more: (
      <Button variant="subtle" size="compact-sm" mt="xs" onClick={toggle} aria-expanded={isOpen}>
        {isOpen ? `Only the first ${most}` : `Show all ${list.length}`}
      </Button>
    ),
  };
}
