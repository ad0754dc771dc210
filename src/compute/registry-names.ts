// Things that requests name by uuid or by name, whose names need not be unique.
import type { Warning } from './definition-rules';

/** What a text names: one thing, nothing, or, by a name that several have, none in particular. */
export interface Named<T> {
  readonly found: T | undefined;
  readonly isAmbiguous: boolean;
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
