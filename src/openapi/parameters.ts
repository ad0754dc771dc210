// Parameters of a route: of its path, of its query as the schema of the version has it, and the header of the version.
import { REPEATED } from '../http/schema-validator';
import type { ApiVersion } from '../microversion/api-version';
import type { SchemaNode } from '../microversion/versioned-schema';
import type { DeclaredRoute } from './declared-routes';

/** What the names in paths mean. */
const IN_PATHS: Readonly<Record<string, string>> = {
  uuid: 'A uuid, in any of its spellings.',
  consumer_uuid: 'The uuid of a consumer.',
  resource_class: 'The name of a resource class.',
  name: 'The name, which is part of the path.',
  id: 'The id that its owner chose.',
  host: 'The name of a compute host.',
  node: 'The name of a node of the host.',
  request_id: 'The id of the request that was decided on, as the answer told it.',
  file: 'A file of the viewer.',
};

/** Groups of a request, whose names end in a suffix, are one parameter whose members are sent as parameters. */
const BY_SUFFIX = 'groups';

export function presentParameters(
  { path, surface, query, policy }: DeclaredRoute,
  api: ApiVersion,
  resolved: (node: SchemaNode) => SchemaNode,
): readonly object[] {
  return [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => inPath(name)),
    ...(query === undefined ? [] : inQuery(resolved(query))),
    ...(surface === 'placement' && policy !== undefined ? [versionHeader(api)] : []),
  ];
}

const inPath = (name: string): object => ({
  name,
  in: 'path',
  required: true,
  description: IN_PATHS[name] ?? name,
  schema: { type: 'string' },
});

interface QuerySchema {
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly patternProperties?: SchemaNode;
  readonly required?: readonly string[];
}

/** A parameter that counts as often as it is given is a list. */
function inQuery({ properties = {}, patternProperties, required = [] }: QuerySchema): readonly object[] {
  const single = Object.entries(properties).map(([name, { description, [REPEATED]: isRepeated, ...schema }]) => ({
    name,
    in: 'query',
    ...(required.includes(name) && { required: true }),
    ...(description !== undefined && { description }),
    ...(isRepeated === true ? { style: 'form', explode: true, schema: { type: 'array', items: schema } } : { schema }),
  }));
  if (patternProperties === undefined) return single;
  const bySuffix = {
    name: BY_SUFFIX,
    in: 'query',
    style: 'form',
    explode: true,
    description: 'The same of further groups, by a name with its suffix: `resources_NET1`, `required_NET1`.',
    schema: { type: 'object', patternProperties, additionalProperties: false },
  };
  return [...single, bySuffix];
}

const versionHeader = (api: ApiVersion): object => ({
  name: 'OpenStack-API-Version',
  in: 'header',
  description: 'Without it the oldest version is spoken, which is another document.',
  schema: { const: `placement ${api.text}` },
});
