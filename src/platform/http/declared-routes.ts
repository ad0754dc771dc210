// The routes that the controllers declare, read from the same decorators and pipes that implement them.
import type { DynamicModule, Type } from '@nestjs/common';
import { RequestMethod } from '@nestjs/common';
import type { PolicyRuleName } from '../auth/policy-rules';
import type { SchemaNode } from '../microversion/versioned-schema';
import { compareText } from '../values/text-order';
import { WRITING_METHODS } from './audited-write';
import { DtoBodyPipe } from './dto-body.decorator';
import type { MountedApi } from './mounted-api';
import { mountOf } from './mounted-api';
import type { ClientFunctionRule, OperationRule } from './operation.decorator';
import { CLIENT_FUNCTION, NOTHING, OPERATION } from './operation.decorator';
import { routeConfigOf } from './route-config';
import type { AuditedRoute, AuditRule, PolicyDemand, SinceRule } from './route.decorators';
import { ANSWERS_JSON, POLICY, PUBLIC, SINCE, WEIGHED } from './route.decorators';
import { BodySchemaPipe, QuerySchemaPipe } from './schema.pipes';
import type { Surface } from './surface';
import { surfaceOf } from './surface';

export interface DeclaredRoute {
  readonly method: string;
  /** With `{name}` for path parameters, without any prefix. */
  readonly path: string;
  readonly surface: Surface;
  /** The mounted API (with the protocol of another service) that the route belongs to. */
  readonly mount: MountedApi | undefined;
  readonly operation: OperationRule;
  /** Undefined if `@berth/client` has no function for the route. */
  readonly client: ClientFunctionRule | undefined;
  readonly since: SinceRule | undefined;
  readonly policy: PolicyRuleName | undefined;
  /** Served to any caller, without a policy. */
  readonly isPublic: boolean;
  /** Null: changes nothing. Undefined: not declared, which is valid only for reading methods. */
  readonly audit: AuditRule | null | undefined;
  /** The body must be JSON, in at least one version. */
  readonly takesBody: boolean;
  readonly answersJson: boolean;
  readonly isWeighed: boolean;
  /** A class, or an annotated schema. */
  readonly body: object | undefined;
  /** The annotated schema of all parameters together. */
  readonly query: SchemaNode | undefined;
}

type Pipe = BodySchemaPipe<unknown> | QuerySchemaPipe | DtoBodyPipe<object>;

/** Sorted by path, then by the order of `METHODS`. */
export function declaredRoutes(root: DynamicModule, mounts: readonly MountedApi[]): readonly DeclaredRoute[] {
  const routes = [...controllersOf(root)].flatMap((controller) =>
    methodNames(controller.prototype as object).flatMap((name) => routeOf(controller, name, mounts) ?? []),
  );
  return routes.sort((one, other) => compareText(one.path, other.path) || rank(one) - rank(other));
}

/** Throws unless every route declares a policy or @Public(), and every writing route whether it is audited. */
export function refuseUndeclared(routes: readonly DeclaredRoute[]): void {
  const problems = routes.flatMap(({ method, path, policy, isPublic, audit }) => [
    ...((policy === undefined) === isPublic
      ? []
      : [`Route ${method} ${path} must declare either a policy or @Public().`]),
    ...(WRITING_METHODS.has(method) && audit === undefined
      ? [`Route ${method} ${path} must declare either @Audited() or @ChangesNothing().`]
      : []),
  ]);
  if (problems.length > 0) throw new Error(problems.join('\n'));
}

const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'HEAD'];
const rank = ({ method }: DeclaredRoute): number => METHODS.indexOf(method);

/** The controllers of the module and of all modules that it imports. */
function controllersOf(root: DynamicModule): ReadonlySet<Type<object>> {
  const found = new Set<Type<object>>();
  const modulesRead = new Set<unknown>();
  const visit = (imported: unknown): void => {
    if (modulesRead.has(imported)) return;
    modulesRead.add(imported);
    const { module = imported, controllers = [], imports = [] } = imported as Partial<DynamicModule>;
    const declared = (key: string): readonly unknown[] =>
      (Reflect.getMetadata(key, module as object) ?? []) as unknown[];
    for (const controller of [...controllers, ...declared('controllers')]) found.add(controller as Type<object>);
    for (const each of [...(imports as unknown[]), ...declared('imports')]) visit(each);
  };
  visit(root);
  return found;
}

/** Includes methods of base classes. */
function methodNames(prototype: object): readonly string[] {
  const parent = Object.getPrototypeOf(prototype) as object | null;
  const inherited = parent === null || parent === Object.prototype ? [] : methodNames(parent);
  return [...new Set([...Object.getOwnPropertyNames(prototype), ...inherited])];
}

function routeOf(controller: Type<object>, name: string, mounts: readonly MountedApi[]): DeclaredRoute | undefined {
  const handler = (controller.prototype as Record<string, unknown>)[name];
  if (typeof handler !== 'function' || !Reflect.hasMetadata('method', handler)) return undefined;
  const metadata = <T>(key: string): T | undefined => Reflect.getMetadata(key, handler) as T | undefined;
  const path = pathOf(Reflect.getMetadata('path', controller) as string, metadata<string>('path') ?? '');
  const method = RequestMethod[metadata<number>('method') ?? 0] ?? '';
  const operation = metadata<OperationRule>(OPERATION) ?? undescribed(method, path);
  const pipes = pipesOf(controller, name);
  const body = pipes.map(bodyOf).find((each) => each !== undefined) ?? operation.body;
  return {
    method,
    path,
    surface: surfaceOf(path, mounts),
    mount: mountOf(path, mounts),
    operation,
    client: metadata<ClientFunctionRule>(CLIENT_FUNCTION),
    since: metadata<SinceRule>(SINCE),
    policy: metadata<PolicyDemand>(POLICY)?.rule,
    isPublic: metadata<boolean>(PUBLIC) === true,
    audit: (routeConfigOf(handler) as AuditedRoute).audit,
    takesBody: body !== undefined,
    answersJson: metadata<boolean>(ANSWERS_JSON) === true,
    isWeighed: metadata<boolean>(WEIGHED) === true,
    body,
    query: pipes.map(queryOf).find((each) => each !== undefined) ?? propertiesOnly(operation.query),
  };
}

/** Status of the answers of an undescribed route. */
export const ANY_SUCCESS = '2XX';

/** A default description, named after the method and path. */
function undescribed(method: string, path: string): OperationRule {
  const words = path.split(/[^A-Za-z0-9]+/).filter((word) => word !== '');
  const capitals = words.map((word) => word.charAt(0).toUpperCase() + word.slice(1));
  return {
    id: `${method.toLowerCase()}${capitals.join('')}`,
    summary: `Answers ${method} ${path} in a way that is not described.`,
    answers: { [ANY_SUCCESS]: NOTHING },
  };
}

function pathOf(...parts: readonly string[]): string {
  const path = parts.map((part) => part.replaceAll(/^\/+|\/+$/g, '')).filter((part) => part !== '');
  return `/${path.join('/')}`.replaceAll(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}');
}

/** The pipes of the method's parameters. */
function pipesOf(controller: Type<object>, name: string): readonly Pipe[] {
  const parameters = Reflect.getMetadata('__routeArguments__', controller, name) as
    | Readonly<Record<string, { readonly pipes: readonly Pipe[] }>>
    | undefined;
  return Object.values(parameters ?? {}).flatMap(({ pipes }) => [...pipes]);
}

function bodyOf(pipe: Pipe): object | undefined {
  if (pipe instanceof BodySchemaPipe) return pipe.schema.schema;
  return pipe instanceof DtoBodyPipe ? pipe.type : undefined;
}

const queryOf = (pipe: Pipe): SchemaNode | undefined =>
  pipe instanceof QuerySchemaPipe ? pipe.schema.schema : undefined;

const propertiesOnly = (properties: SchemaNode | undefined): SchemaNode | undefined =>
  properties && { type: 'object', properties, additionalProperties: false };
