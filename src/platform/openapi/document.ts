// The OpenAPI 3.1 document of one version, from the declared routes, their request schemas and the response schemas
// next to the presenters. Deterministic: equal routes and version give equal text.
import type { Type } from '@nestjs/common';
import type { DeclaredRoute } from '../http/declared-routes';
import { ANY_SUCCESS } from '../http/declared-routes';
import type { DtoSchema } from '../http/dto-schema';
import { dtoSchemaOf, referTo } from '../http/dto-schema';
import { titleOf } from '../http/error-document';
import type { MountedApi } from '../http/mounted-api';
import type { Surface } from '../http/surface';
import type { ApiVersion } from '../microversion/api-version';
import type { MicroversionTable } from '../microversion/microversion-table';
import type { SchemaNode } from '../microversion/versioned-schema';
import { resolveSchema } from '../microversion/versioned-schema';
import { byText } from '../values/text-order';
import { VERSION } from '../version';
import { presentParameters } from './parameters';
import { errorDocumentSchema, OTHER_REFUSAL, REFUSAL_NAMES, refusalsOf, unauthenticatedSchema } from './refusals';

const OPENAPI_VERSION = '3.1.0';

const TAGS: Readonly<Record<Surface, { readonly name: string; readonly description: string }>> = {
  placement: {
    name: 'Placement',
    description: 'Resource providers, what they have, what is allocated of it, and where more would fit.',
  },
  scheduler: {
    name: 'Scheduler',
    description: 'Scheduling decisions, and the registries that they use. Without microversions.',
  },
  reports: {
    name: 'Reports',
    description:
      'Read-only reports on capacity, hosts, and the reasons why more instances do not fit. Without microversions.',
  },
  console: { name: 'Console', description: 'The operators’ console: its pages, and how people log in there.' },
  operations: { name: 'Operations', description: 'What supervisors and people ask of the service itself.' },
  practice_cloud: {
    name: 'Practice cloud',
    description:
      'As much of the Compute, Image and Identity APIs as the clients of OpenStack need. What stands inside their documents ' +
      'is the contract of those services.',
  },
};

const INTRODUCTION = [
  'Inventory and usage of resource providers, and scheduling decisions.',
  '',
  'A request to the Placement API names its version in the header `OpenStack-API-Version`; this document shows one of them.',
  'Lists of the scheduler and of reports are paginated: `next_marker` is the `marker` of the next page.',
].join('\n');

/** Settings of a document that do not depend on the version. */
export interface DocumentSettings {
  readonly microversions: MicroversionTable;
  /** Path prefix of the Placement API; can be empty. */
  readonly urlPrefix: string;
  /** The mounted APIs of other services, with their own versions and error documents. */
  readonly mounts: readonly MountedApi[];
  /** Optional members of an error, in addition to those of the HTTP layer. */
  readonly errorMembers: SchemaNode;
}

/** The document of a version, made route by route: the first one takes 400 ms. Throws if two schemas have one name. */
export class ApiDocument {
  private readonly components: Components;
  private readonly responses: object;
  private readonly paths: Record<string, Record<string, object>> = {};
  private readonly surfaces = new Set<Surface>();

  constructor(
    api: ApiVersion,
    private readonly settings: DocumentSettings,
  ) {
    this.components = new Components(api);
    this.responses = refusalResponses(this.components, settings.errorMembers);
  }

  add(route: DeclaredRoute): void {
    this.surfaces.add(route.surface);
    if (route.since !== undefined && !this.components.api.has(route.since.feature)) return;
    const path = route.surface === 'placement' ? `${this.settings.urlPrefix}${route.path}` : route.path;
    (this.paths[path] ??= {})[route.method.toLowerCase()] = presentOperation(route, this.components);
  }

  get document(): object {
    return {
      openapi: OPENAPI_VERSION,
      info: {
        title: 'Berth',
        version: VERSION,
        description: INTRODUCTION,
        license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
        'x-berth-microversion': this.components.api.text,
      },
      servers: [{ url: '/' }],
      tags: tagsOf(this.surfaces),
      paths: this.paths,
      components: {
        securitySchemes: {
          token: {
            type: 'apiKey',
            in: 'header',
            name: 'X-Auth-Token',
            description:
              'A token as required by `[api] auth_strategy`: of the Identity service, of this service, or any text.',
          },
        },
        responses: { ...this.responses, ...this.components.refusals() },
        schemas: this.components.sorted(),
      },
    };
  }
}

/** The tags of the surfaces that are switched on. */
function tagsOf(present: ReadonlySet<Surface>): readonly object[] {
  return Object.entries(TAGS).flatMap(([surface, tag]) => (present.has(surface as Surface) ? [tag] : []));
}

/** The named components of a document, resolved for one version. */
class Components {
  private readonly schemas = new Map<string, SchemaNode>();
  private readonly refusalsOfOthers = new Map<string, object>();
  private readonly texts = new Map<string, string>();

  constructor(readonly api: ApiVersion) {}

  /** Resolves a schema for the version and replaces named schemas with references. */
  readonly resolved = (node: SchemaNode): SchemaNode => resolveSchema(node, this.api, this.place);

  /** A reference to the schema of the class. */
  ofClass(type: Type<object>): SchemaNode {
    const { name, schema, inside }: DtoSchema = dtoSchemaOf(type);
    if (!this.schemas.has(name)) for (const each of inside) this.ofClass(each);
    return this.place(name, schema);
  }

  /** A reference to the error response for the status, or to the default one, in the format of the API. */
  refusal(mount: MountedApi | undefined, status?: number): object {
    const ours = status === undefined ? OTHER_REFUSAL : (REFUSAL_NAMES[status] ?? OTHER_REFUSAL);
    const name = `${mount?.name ?? ''}${ours}`;
    if (mount !== undefined && !this.refusalsOfOthers.has(name)) {
      const content = jsonContent(this.resolved(mount.refusalSchema(status)));
      this.refusalsOfOthers.set(name, { description: describeRefusal(status), content });
    }
    return { $ref: `#/components/responses/${name}` };
  }

  /** Error responses of mounted APIs that have been referenced, by name. */
  refusals(): Readonly<Record<string, object>> {
    return Object.fromEntries(inOrder(this.refusalsOfOthers));
  }

  sorted(): Readonly<Record<string, SchemaNode>> {
    return Object.fromEntries(inOrder(this.schemas));
  }

  private readonly place = (name: string, schema: SchemaNode): SchemaNode => {
    const text = JSON.stringify(schema);
    if ((this.texts.get(name) ?? text) !== text) throw new Error(`two schemas of the API document are called ${name}`);
    this.texts.set(name, text);
    this.schemas.set(name, schema);
    return referTo(name);
  };
}

const inOrder = <T>(named: ReadonlyMap<string, T>): readonly (readonly [string, T])[] =>
  [...named].sort(byText(([name]) => name));

const jsonContent = (schema: SchemaNode): object => ({ 'application/json': { schema } });

const describeRefusal = (status?: number): string =>
  status === undefined
    ? 'Too large, too slow, out of reach at present, or failed for a reason of the service.'
    : `${titleOf(status)}.`;

function refusalResponses({ resolved }: Components, errorMembers: SchemaNode): Readonly<Record<string, object>> {
  const error = errorDocumentSchema(errorMembers);
  const document = resolved(error);
  const ofStatus = Object.entries(REFUSAL_NAMES).map(([status, name]): [string, object] => {
    const schema = name === REFUSAL_NAMES[401] ? resolved(unauthenticatedSchema(error)) : document;
    return [name, { description: describeRefusal(Number(status)), content: jsonContent(schema) }];
  });
  const other = { description: describeRefusal(), content: jsonContent(document) };
  return Object.fromEntries([...ofStatus, [OTHER_REFUSAL, other]]);
}

function presentOperation(route: DeclaredRoute, components: Components): object {
  const { operation, policy, surface, isWeighed } = route;
  const parameters = presentParameters(route, components.api, components.resolved);
  const body = presentBody(route, components);
  return {
    operationId: operation.id,
    summary: operation.summary,
    tags: [TAGS[surface].name],
    ...(policy === undefined ? { security: [] } : { security: [{ token: [] }], 'x-berth-policy': policy }),
    ...(isWeighed && { 'x-berth-weighed': true }),
    ...(parameters.length > 0 && { parameters }),
    ...(body !== undefined && { requestBody: body }),
    responses: presentResponses({ ...route, takesBody: body !== undefined }, components),
  };
}

function presentBody({ body, operation }: DeclaredRoute, components: Components): object | undefined {
  if (body === undefined) return undefined;
  if (typeof body === 'function')
    return { required: true, content: jsonContent(components.ofClass(body as Type<object>)) };
  // The wrapper resolves a body that only some versions have.
  const { schema } = components.resolved({ schema: body }) as { readonly schema?: SchemaNode };
  const types = operation.bodyTypes ?? ['application/json'];
  return schema && { required: true, content: Object.fromEntries(types.map((type) => [type, { schema }])) };
}

/** The form that `json`, `text` and `located` produce. */
interface AnswerNode {
  readonly schema?: SchemaNode;
  readonly contentTypes?: readonly string[];
  readonly hasLocation?: true;
}

function presentResponses(route: DeclaredRoute, components: Components): object {
  const answers = components.resolved(route.operation.answers) as Readonly<Record<string, AnswerNode>>;
  const refusals = refusalsOf(route).map((status): [string, object] => [
    String(status),
    components.refusal(route.mount, status),
  ]);
  return {
    ...Object.fromEntries(refusals),
    ...Object.fromEntries(Object.entries(answers).map(([status, answer]) => [status, presentAnswer(status, answer)])),
    default: components.refusal(route.mount),
  };
}

function presentAnswer(status: string, { schema, contentTypes, hasLocation }: AnswerNode): object {
  const location = { description: 'Where it is.', schema: { type: 'string', format: 'uri' } };
  const content = schema === undefined ? contentTypes && textContent(contentTypes) : jsonContent(schema);
  return {
    description: status === ANY_SUCCESS ? 'Success.' : `${titleOf(Number(status))}.`,
    ...(hasLocation === true && { headers: { Location: location } }),
    ...(content && { content }),
  };
}

const textContent = (contentTypes: readonly string[]): object =>
  Object.fromEntries(contentTypes.map((each): [string, object] => [mediaTypeOf(each), { schema: { type: 'string' } }]));

const mediaTypeOf = (contentType: string): string => contentType.split(';', 1)[0] ?? contentType;
