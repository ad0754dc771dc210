// JSON Schemas with their history in the margin. A schema is written once, in its present shape; annotations say since
// or until which feature a part exists. It resolves once per era (the versions between which nothing in it changes).
import type { ApiVersion, Feature } from './api-version';

const ANNOTATION = Symbol('annotation');

interface Annotated<T> {
  readonly [ANNOTATION]: readonly { readonly when: (api: ApiVersion) => boolean; readonly value: T }[];
  readonly features: readonly Feature[];
}

/** A schema node: plain JSON, with annotated parts at any depth (property values and array items). */
export type SchemaNode = { readonly [key: string]: unknown };

export function since<T>(feature: Feature, value: T): Annotated<T> {
  return { [ANNOTATION]: [{ when: (api) => api.has(feature), value }], features: [feature] };
}

export function until<T>(feature: Feature, value: T): Annotated<T> {
  return { [ANNOTATION]: [{ when: (api) => !api.has(feature), value }], features: [feature] };
}

export function between<T>(from: Feature, to: Feature, value: T): Annotated<T> {
  return { [ANNOTATION]: [{ when: (api) => api.has(from) && !api.has(to), value }], features: [from, to] };
}

/** The first alternative that exists in the era; none: the part does not exist. */
export function firstOf<T>(...alternatives: readonly Annotated<T>[]): Annotated<T> {
  return {
    [ANNOTATION]: alternatives.flatMap((alternative) => [...alternative[ANNOTATION]]),
    features: alternatives.flatMap((alternative) => [...alternative.features]),
  };
}

const NAME = Symbol('name');

/** A schema that documents keep once, under its name. Names are those of the API document: PascalCase, stable. */
export const named = (name: string, schema: SchemaNode): SchemaNode => ({ ...schema, [NAME]: name });

/** An object with exactly these members, all present unless optional. */
export function closed(properties: SchemaNode, optional: readonly string[] = []): SchemaNode {
  const required = Object.entries(properties)
    .filter(([name]) => !optional.includes(name))
    .map(([name, schema]) => (isAnnotated(schema) ? instead(schema, name) : name));
  return { type: 'object', properties, required, additionalProperties: false };
}

/** The value, in the versions in which the annotated part exists. */
const instead = <T>(annotated: Annotated<unknown>, value: T): Annotated<T> => ({
  [ANNOTATION]: annotated[ANNOTATION].map(({ when }) => ({ when, value })),
  features: annotated.features,
});

function isAnnotated(node: unknown): node is Annotated<unknown> {
  return typeof node === 'object' && node !== null && ANNOTATION in node;
}

/** The features at which this schema changes, in no particular order. */
export function featuresOf(node: unknown): readonly Feature[] {
  const found = new Set<Feature>();
  visit(node, found);
  return [...found];
}

function visit(node: unknown, found: Set<Feature>): void {
  if (isAnnotated(node)) {
    for (const feature of node.features) found.add(feature);
    for (const alternative of node[ANNOTATION]) visit(alternative.value, found);
  } else if (typeof node === 'object' && node !== null) {
    for (const value of Object.values(node)) visit(value, found);
  }
}

const ABSENT = Symbol('absent');

/** The reference to a named schema. */
type SchemaPlace = (name: string, schema: SchemaNode) => SchemaNode;

const asItIs: SchemaPlace = (_name, schema) => schema;

/** The plain schema of one version. */
export function resolveSchema(node: SchemaNode, api: ApiVersion, place = asItIs): SchemaNode {
  return resolve(node, api, place) as SchemaNode;
}

function resolve(node: unknown, api: ApiVersion, place: SchemaPlace): unknown {
  if (isAnnotated(node)) {
    const hit = node[ANNOTATION].find((alternative) => alternative.when(api));
    return hit === undefined ? ABSENT : resolve(hit.value, api, place);
  }
  if (Array.isArray(node)) return node.map((item) => resolve(item, api, place)).filter((item) => item !== ABSENT);
  if (typeof node === 'object' && node !== null) {
    const plain: Record<string, unknown> = {};
    for (const [key, value] of Object.entries(node)) {
      const resolved = resolve(value, api, place);
      if (resolved !== ABSENT) plain[key] = resolved;
    }
    const name = (node as { readonly [NAME]?: string })[NAME];
    return name === undefined ? plain : place(name, plain);
  }
  return node;
}

/** Key under which the compiled schema of a version is kept: equal for all versions of one era. */
export function eraOf(features: readonly Feature[], api: ApiVersion): string {
  return features.map((feature) => (api.has(feature) ? '1' : '0')).join('');
}
