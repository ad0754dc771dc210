// Keeps the state of a page in its address: it can be shared, reloaded and reached with the back button.
import { useCallbackRef } from '@mantine/hooks';
import { useCallback, useMemo } from 'react';
import { useSearchParams } from 'react-router';

export interface Address {
  /** The value of a parameter; '' if it is absent. */
  readonly get: (name: string) => string;
  /** All values of a repeatable parameter. */
  readonly all: (name: string) => readonly string[];
  /** The identity of this function does not change while the page is mounted. */
  readonly set: SetAddress;
}

/** Changes parameters; '', undefined and [] remove. Typing replaces the entry of the history, a choice adds one. */
export type SetAddress = (changes: Readonly<Record<string, AddressValue>>, how?: 'replace' | 'push') => void;

type AddressValue = string | number | boolean | readonly string[] | undefined;

/** Returns the same object until the address changes. */
export function useAddress(): Address {
  const [params, setParams] = useSearchParams();
  const get = useCallback((name: string) => params.get(name) ?? '', [params]);
  const all = useCallback((name: string) => params.getAll(name), [params]);
  const set = useCallbackRef<SetAddress>((changes, how = 'replace') => {
    setParams(
      (before) => {
        const next = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changes)) {
          next.delete(name);
          for (const each of valuesOf(value)) next.append(name, each);
        }
        return next;
      },
      { replace: how === 'replace', preventScrollReset: true },
    );
  });
  return useMemo(() => ({ get, all, set }), [get, all, set]);
}

function valuesOf(value: AddressValue): readonly string[] {
  if (value === undefined || value === '' || value === false) return [];
  if (value === true) return ['true'];
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : value;
}
