// Response schemas shared by all registries.
import { GENERATION, listOf, orNull, TEXT, TIME } from '../platform/http/answer-schemas';
import type { SchemaNode } from '../platform/microversion/versioned-schema';
import { closed, named } from '../platform/microversion/versioned-schema';

/** A warning about a field that is probably a mistake. */
const WARNING = named('Warning', closed({ field: TEXT, why: TEXT }));

/** Times of creation and last change, and the generation. */
export const DATED = { generation: GENERATION, created_at: TIME, updated_at: orNull(TIME) };

/** Schemas of a document as it is shown, and as a write returns it, with warnings. */
export const registered = (
  name: string,
  properties: SchemaNode,
  optional: readonly string[] = [],
): Readonly<Record<'shown' | 'written', SchemaNode>> => ({
  shown: named(name, closed(properties, optional)),
  written: named(`Written${name}`, closed({ ...properties, warnings: listOf(WARNING) }, [...optional, 'warnings'])),
});

/** One page. The marker of the next page is null on the last page. */
export const pageSchemaOf = (name: string, plural: string, item: SchemaNode): SchemaNode =>
  named(name, closed({ [plural]: listOf(item), next_marker: orNull(TEXT) }));

/** The query parameters of a list: page and filters. */
export const pageParameters = (filters: SchemaNode): SchemaNode => ({
  limit: { type: 'string', pattern: '^[0-9]+$', description: 'Documents of one page.' },
  marker: { type: 'string', description: 'The `next_marker` of the page before.' },
  ...filters,
});
