// A large document as small ones that the same schema judges: dictionaries of like entries are cut, everything around
// them stays. The document is valid if all of its parts are, and what is wrong with it is wrong with one of them, at the
// same path. Lists stay whole: their entries are named by their places.
import { HTTP_LIMITS } from '../config/limits';
import type { SchemaNode } from '../microversion/versioned-schema';
import { isPart, weighed } from './long-json';
import { isJsonObject } from '../domain/json-object';
import type { JsonObject } from '../domain/json-object';

/** In the order of the document. */
export function* partsOf(schema: SchemaNode, value: unknown): Generator<unknown, void, undefined> {
  if (isPart(value) || !isJsonObject(value)) yield value;
  else if (isOfLikeEntries(schema)) yield* cut(schema, value);
  else yield* cutMembers(schema, value);
}

function* cut(schema: SchemaNode, value: JsonObject): Generator<JsonObject, void, undefined> {
  let gathered: [string, unknown][] = [];
  let left: number = HTTP_LIMITS.jsonPartNodes;
  for (const key in value) {
    const entry = value[key];
    left = weighed(entry, left);
    if (left < 0) {
      if (gathered.length > 0) yield Object.fromEntries(gathered);
      gathered = [];
      left = weighed(entry, HTTP_LIMITS.jsonPartNodes);
    }
    if (left >= 0) gathered.push([key, entry]);
    else {
      for (const part of partsOf(schemaOfMember(schema, key), entry)) yield Object.fromEntries([[key, part]]);
      left = HTTP_LIMITS.jsonPartNodes;
    }
  }
  if (gathered.length > 0) yield Object.fromEntries(gathered);
}

/** A part of one large member at a time; the other large ones are there with their first parts. */
function* cutMembers(schema: SchemaNode, value: JsonObject): Generator<JsonObject, void, undefined> {
  const names = Object.keys(propertiesOf(schema) ?? {});
  const large = names.filter((name) => Object.hasOwn(value, name) && !isPart(value[name]));
  const rest = { ...value };
  for (const name of large) rest[name] = partsOf(schemaOfMember(schema, name), value[name]).next().value;
  if (large.length === 0) yield value;
  for (const name of large) {
    for (const part of partsOf(schemaOfMember(schema, name), value[name])) yield { ...rest, [name]: part };
  }
}

/** Where something is wrong, and by which rule. */
export interface Fault {
  readonly path: readonly string[];
  readonly keyword: string;
}

/** Whether a fault that a later part showed is told before one of an earlier part: the whole would tell it first. */
export function isToldBefore(later: Fault, earlier: Fault, schema: SchemaNode, level = 0): boolean {
  const [mine, other] = [later.path[level], earlier.path[level]];
  // What is wrong with an object itself is told before what is wrong inside; wrong names behind everything else.
  if (mine === undefined) return other !== undefined || rankOf(later) < rankOf(earlier);
  if (other === undefined) return false;
  if (mine === other) return isToldBefore(later, earlier, schemaOfMember(schema, mine), level + 1);
  const names = Object.keys(propertiesOf(schema) ?? {});
  return names.indexOf(mine) < names.indexOf(other);
}

const rankOf = ({ keyword }: Fault): number => (keyword === 'additionalProperties' ? 1 : 0);

const propertiesOf = (schema: SchemaNode): JsonObject | undefined => schema['properties'] as JsonObject | undefined;

/** No rule of the schema counts entries, other than that there must be one. */
function isOfLikeEntries(schema: SchemaNode): boolean {
  const { patternProperties, maxProperties, minProperties = 0 } = schema;
  return (
    patternProperties !== undefined &&
    propertiesOf(schema) === undefined &&
    maxProperties === undefined &&
    (minProperties as number) <= 1
  );
}

function schemaOfMember(schema: SchemaNode, name: string): SchemaNode {
  const patterns = (schema['patternProperties'] ?? {}) as JsonObject;
  const [only] = Object.keys(patterns).length === 1 ? Object.values(patterns) : [];
  return (propertiesOf(schema)?.[name] ?? only ?? {}) as SchemaNode;
}
