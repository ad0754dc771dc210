// The parameters of a route: path, query according to the schema of the version, and the version header.
import type { DeclaredRoute } from '../http/declared-routes';
import type { MountedApi } from '../http/mounted-api';
import { hasVersions } from '../http/mounted-api';
import { REPEATED } from '../http/schema-validator';
import type { ApiVersion } from '../microversion/api-version';
import type { SchemaNode } from '../microversion/versioned-schema';

/** Descriptions of the parameters in paths. */
const IN_PATHS: Readonly<Record<string, string>> = {
  uuid: 'A uuid, in any of its spellings.',
  consumer_uuid: 'The uuid of a consumer.',
  resource_class: 'The name of a resource class.',
  name: 'The name, which is part of the path.',
  id: 'The id, as lists show it.',
  host: 'The name of a compute host.',
  node: 'The name of a node of the host.',
  request_id: 'The id of the request, from the answer of the decision.',
  file: 'A file of the viewer.',
  path: 'Of a page or a file, with as many slashes as it has.',
  key: 'The key, which is part of the path.',
  request: 'The id of the request that was the action.',
  image_id: 'The uuid of an image.',
  tag: 'The tag, which is part of the path.',
  project_id: 'The name of a project, which is its id.',
  user_id: 'The name of a user, which is its id.',
  domain_id: 'The id of the domain.',
};

/** Request groups have names with a suffix. They are one exploded object parameter. */
const BY_SUFFIX = 'groups';

const VERSION_HEADER = 'OpenStack-API-Version';

export function presentParameters(
  { path, surface, mount, operation, query, policy }: DeclaredRoute,
  api: ApiVersion,
  resolved: (node: SchemaNode) => SchemaNode,
): readonly object[] {
  return [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => inPath(name)),
    ...(query === undefined ? [] : inQuery(resolved(query))),
    ...Object.entries(operation.headers ?? {}).map(([name, description]) => header(name, description)),
    ...(surface === 'placement' && policy !== undefined ? [versionHeader(api)] : []),
    ...(mount !== undefined && hasVersions(mount) ? [versionHeaderOf(mount)] : []),
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

/** A repeatable parameter is a list. */
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

const header = (name: string, description: string): object => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string' },
});

const versionHeaderOf = ({ path }: MountedApi): object => ({
  name: VERSION_HEADER,
  in: 'header',
  description: 'The version of this API that is spoken; without it the oldest.',
  schema: { type: 'string', examples: [`${path.slice(1)} latest`] },
});

const versionHeader = (api: ApiVersion): object => ({
  name: VERSION_HEADER,
  in: 'header',
  description: 'Without it the oldest version is spoken, which is another document.',
  schema: { const: `placement ${api.text}` },
});
