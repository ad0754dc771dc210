// What the answers of all registries have in common.
import { GENERATION, TEXT, TIME, listOf, orNull } from '../http/answer-schemas';
import { closed, named } from '../microversion/versioned-schema';
import type { SchemaNode } from '../microversion/versioned-schema';

/** Something of a document that probably does not mean what it says. */
const WARNING = named('Warning', closed({ field: TEXT, why: TEXT }));

/** When the document was made and last changed, and its generation. */
export const DATED = { generation: GENERATION, created_at: TIME, updated_at: orNull(TIME) };

/** The document of a registry, and what a write answers: the same with its warnings. */
export const registered = (
  name: string,
  properties: SchemaNode,
  optional: readonly string[] = [],
): Readonly<Record<'shown' | 'written', SchemaNode>> => ({
  shown: named(name, closed(properties, optional)),
  written: named(`Written${name}`, closed({ ...properties, warnings: listOf(WARNING) }, [...optional, 'warnings'])),
});

/** One page; the marker of the next one is null behind the last. */
export const pageSchemaOf = (name: string, plural: string, item: SchemaNode): SchemaNode =>
  named(name, closed({ [plural]: listOf(item), next_marker: orNull(TEXT) }));

/** The parameters of a list: which page, and what it is narrowed by. */
export const pageParameters = (filters: SchemaNode): SchemaNode => ({
  limit: { type: 'string', pattern: '^[0-9]+$', description: 'Documents of one page.' },
  marker: { type: 'string', description: 'The `next_marker` of the page before.' },
  ...filters,
});
