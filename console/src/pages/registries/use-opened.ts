// The record open in the drawer, by the address; NEW is the form of a new record.
import { useCallback } from 'react';
import { useAddress } from '../../address/use-address';

const NEW = 'new';

export function useOpened() {
  const { get, set } = useAddress();
  const id = get('open');
  const open = useCallback((which: string) => set({ open: which }, 'push'), [set]);
  const create = useCallback(() => set({ open: NEW }, 'push'), [set]);
  const close = useCallback(() => set({ open: undefined }, 'push'), [set]);
  return { id, isNew: id === NEW, isOpen: id !== '', open, create, close };
}
