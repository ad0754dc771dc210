// Things that requests name by uuid or by name, whose names need not be unique.
import type { Uuid } from '../../domain/uuid';
import type { Warning } from './definition-rules';

/** What a text names: one thing, nothing, or, by a name that several have, none in particular. */
export interface Named<T> {
  readonly found: T | undefined;
  readonly isAmbiguous: boolean;
}

/** `things`: those of this uuid or name. The uuid says which one is meant, a name only while nothing else has it. */
export function byUuidOrName<T extends { readonly uuid: Uuid }>(things: readonly T[], uuid: Uuid | null): Named<T> {
  const known = things.find((thing) => thing.uuid === uuid);
  if (known !== undefined || things.length < 2) return { found: known ?? things[0], isAmbiguous: false };
  return { found: undefined, isAmbiguous: true };
}

/** Which of the names that a request gives are ambiguous. */
export const ambiguousOf = (
  named: Readonly<Record<'image' | 'group', Named<unknown> | undefined>>,
): ReadonlySet<'image' | 'group'> =>
  new Set((['image', 'group'] as const).filter((what) => named[what]?.isAmbiguous === true));

/** Told to whoever gives a name that is taken. */
export const sharedName = (what: string): Warning => ({
  field: 'name',
  why: `another ${what} has this name; requests that name either by it are refused, its uuid says which is meant`,
});
