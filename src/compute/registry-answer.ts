// How writes of registries are answered.
import { created, ok, pathOf } from '../http/answer';
import type { Answer } from '../http/answer';
import type { Warning } from './definition-rules';
import type { Written } from './registry';

/** 201 with its place for what is new, else 200; with the document, and what is odd about it. */
export function written<E>(
  { isNew, document, warnings }: Written<E>,
  place: (document: E) => readonly [collection: string, key: string],
  present: (document: E, warnings: readonly Warning[]) => object,
): Answer {
  const shown = present(document, warnings);
  return isNew ? created(pathOf('scheduler', ...place(document)), shown) : ok(shown);
}
