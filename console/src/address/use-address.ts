// What a page shows is in its address, so that it can be shared, reloaded and gone back to.
import { useCallback, useEffect, useMemo, useRef } from 'react';
import { useSearchParams } from 'react-router';

export interface Address {
  /** The value of a parameter, or ''. */
  readonly get: (name: string) => string;
  /** All values of a parameter that may be repeated. */
  readonly all: (name: string) => readonly string[];
  /** The same for as long as the page is there. */
  readonly set: SetAddress;
  /** As it stands, without the question mark. */
  readonly text: string;
}

/** Changes parameters; '' , undefined and [] remove. Typing replaces the entry of the history, a choice adds one. */
export type SetAddress = (changes: Readonly<Record<string, AddressValue>>, how?: 'replace' | 'push') => void;

type AddressValue = string | number | boolean | readonly string[] | undefined;

/** The same object for as long as the address stays the same. */
export function useAddress(): Address {
  const [params, setParams] = useSearchParams();
  const get = useCallback((name: string) => params.get(name) ?? '', [params]);
  const all = useCallback((name: string) => params.getAll(name), [params]);
  const latest = useRef(setParams);
  useEffect(() => {
    latest.current = setParams;
  }, [setParams]);
  const set = useCallback<SetAddress>((changes, how = 'replace') => {
    latest.current(
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
  }, []);
  return useMemo(() => ({ get, all, set, text: params.toString() }), [get, all, set, params]);
}

function valuesOf(value: AddressValue): readonly string[] {
  if (value === undefined || value === '' || value === false) return [];
  if (value === true) return ['true'];
  return typeof value === 'string' || typeof value === 'number' ? [String(value)] : value;
}
