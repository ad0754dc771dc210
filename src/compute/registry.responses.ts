// Response schemas shared by all registries.
import { GENERATION, listOf, orNull, TEXT, TIME } from '../platform/http/answer-schemas';
import type { Members } from '../platform/http/shown';
import { presenterOf, schemasOf } from '../platform/http/shown';
import type { SchemaNode } from '../platform/microversion/versioned-schema';
import { closed, named } from '../platform/microversion/versioned-schema';
import type { Registered } from './registered.entity';
import { presentTime } from './registry-page';

/** A warning about a field that is probably a mistake. */
const WARNING = named('Warning', closed({ field: TEXT, why: TEXT }));

/** The generation, and the times of creation and last change. */
const DATED_MEMBERS: Members<Pick<Registered, 'generation' | 'createdAtMs' | 'updatedAtMs'>> = {
  generation: [GENERATION, ({ generation }) => generation],
  created_at: [TIME, ({ createdAtMs }) => presentTime(createdAtMs)],
  updated_at: [orNull(TIME), ({ updatedAtMs }) => presentTime(updatedAtMs)],
};
export const DATED = schemasOf(DATED_MEMBERS);

/** A document of a registry: schemas as it is shown, and as a write returns it, with warnings. */
export interface RegisteredDocument<E> {
  readonly shown: SchemaNode;
  readonly written: SchemaNode;
  readonly present: (document: E) => object;
}

export function registered<E extends Registered>(name: string, own: Members<E>): RegisteredDocument<E> {
  const members = { ...own, ...DATED_MEMBERS };
  const schemas = schemasOf(members);
  return {
    shown: named(name, closed(schemas)),
    written: named(`Written${name}`, closed({ ...schemas, warnings: listOf(WARNING) }, ['warnings'])),
    present: presenterOf(members),
  };
}

/** One page. The marker of the next page is null on the last page. */
export const pageSchemaOf = (name: string, plural: string, item: SchemaNode): SchemaNode =>
  named(name, closed({ [plural]: listOf(item), next_marker: orNull(TEXT) }));

/** The query parameters of a list: page and filters. */
export const pageParameters = (filters: SchemaNode): SchemaNode => ({
  limit: { type: 'string', pattern: '^[0-9]+$', description: 'Documents of one page.' },
  marker: { type: 'string', description: 'The `next_marker` of the page before.' },
  ...filters,
});
