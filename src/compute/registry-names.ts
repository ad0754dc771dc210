// Lookup of documents by uuid or name, for registries whose names need not be unique.
import type { Warning } from './definition-rules';

/** The result of a lookup: one document, none, or ambiguous because several documents have the name. */
export interface Named<T> {
  readonly found: T | undefined;
  readonly isAmbiguous: boolean;
}

/** The names in a request that are ambiguous. */
export const ambiguousOf = (
  named: Readonly<Record<'image' | 'group', Named<unknown> | undefined>>,
): ReadonlySet<'image' | 'group'> =>
  new Set((['image', 'group'] as const).filter((what) => named[what]?.isAmbiguous === true));

/** Warning for a duplicate name. */
export const sharedName = (what: string): Warning => ({
  field: 'name',
  why: `another ${what} has this name; requests that use the name are refused; use the uuid`,
});
