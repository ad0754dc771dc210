// Responses to writes of registries.
import type { Answer } from '../platform/http/answer';
import { created, ok, pathOf } from '../platform/http/answer';
import type { Warning } from './definition-rules';
import type { Written } from './registry';

/** Responds 201 with the Location of a new document, otherwise 200; the body is the document with its warnings. */
export function written<E>(
  { isNew, document, warnings }: Written<E>,
  place: (document: E) => readonly [collection: string, key: string],
  present: (document: E, warnings: readonly Warning[]) => object,
): Answer {
  const shown = present(document, warnings);
  return isNew ? created(pathOf('scheduler', ...place(document)), shown) : ok(shown);
}
