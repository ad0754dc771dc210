// The declarations of the router: its routes with all their rules, and the eras of each, the version ranges between
// changes of its behaviour.
import 'reflect-metadata';
import { RequestMethod } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { MICROVERSIONS } from '../../src/placement/microversions';
import { routeConfigOf } from '../../src/platform/http/route-config';
import type { AuditedRoute, AuditRule, PolicyDemand, SinceRule } from '../../src/platform/http/route.decorators';
import { ANSWERS_JSON, NEEDS_PROVIDER, POLICY, SINCE, TAKES_JSON } from '../../src/platform/http/route.decorators';
import { SchemaValidator } from '../../src/platform/http/schema-validator';
import type { ApiVersion, Feature } from '../../src/platform/microversion/api-version';

export interface RouteContract {
  readonly method: string;
  /** With `{name}` for parameters. */
  readonly path: string;
  readonly since: SinceRule | undefined;
  readonly policy: PolicyDemand | undefined;
  /** Null: the route changes nothing. */
  readonly audit: AuditRule | null | undefined;
  readonly takesJson: { readonly until?: Feature } | undefined;
  readonly answersJson: boolean;
  readonly needsProvider: boolean;
  /** Has a schema for its body or query. */
  readonly hasInput: boolean;
  /** Features of `since`, of the content type and of the schemas. */
  readonly features: readonly Feature[];
}

const SURFACES_APART =
  /^\/(scheduler|reports|compute|image|identity|network|healthz|readyz|metrics|docs|console)(\/|$)/;

export const inBraces = (path: string): string => path.replaceAll(/:(\w+)/g, '{$1}').replace(/\*$/, '{path}');

/** Routes of the Placement API, without operations and scheduler. */
export const isPlacement = (path: string): boolean => !SURFACES_APART.test(path);

export const routeContracts = (app: NestFastifyApplication): readonly RouteContract[] =>
  everyRouteContract(app).filter(({ path }) => isPlacement(path));

/** Routes of every surface. */
export function everyRouteContract(app: NestFastifyApplication): readonly RouteContract[] {
  const found: RouteContract[] = [];
  for (const module of app.get(ModulesContainer).values()) {
    for (const { metatype } of module.controllers.values()) {
      if (typeof metatype === 'function') found.push(...ofController(metatype));
    }
  }
  return found.sort((a, b) => (nameOf(a) < nameOf(b) ? -1 : 1));
}

export const nameOf = ({ method, path }: Pick<RouteContract, 'method' | 'path'>): string => `${method} ${path}`;

function ofController(controller: object & { prototype?: unknown }): readonly RouteContract[] {
  const prototype = controller.prototype as Record<string, unknown>;
  const base = Reflect.getMetadata('path', controller) as string;
  return methodNames(prototype).flatMap((name) => {
    const handler = prototype[name];
    if (typeof handler !== 'function' || !Reflect.hasMetadata('method', handler)) return [];
    return [contractOf(controller, name, handler, base)];
  });
}

/** Including inherited ones. */
function methodNames(prototype: object): readonly string[] {
  const parent = Object.getPrototypeOf(prototype) as object | null;
  const inherited = parent === null || parent === Object.prototype ? [] : methodNames(parent);
  return [...new Set([...Object.getOwnPropertyNames(prototype), ...inherited])];
}

function contractOf(controller: object, name: string, handler: object, base: string): RouteContract {
  const get = <T>(key: string): T | undefined => Reflect.getMetadata(key, handler) as T | undefined;
  const own = get<string>('path') ?? '';
  const path = `/${[base, own]
    .map((part) => part.replaceAll(/^\/+|\/+$/g, ''))
    .filter(Boolean)
    .join('/')}`;
  const since = get<SinceRule>(SINCE);
  const takesJson = get<{ until?: Feature }>(TAKES_JSON);
  const schemas = schemasOf(controller, name);
  return {
    method: RequestMethod[get<number>('method') ?? 0] ?? '',
    path: inBraces(path),
    since,
    policy: get<PolicyDemand>(POLICY),
    audit: (routeConfigOf(handler) as AuditedRoute).audit,
    takesJson,
    answersJson: get<boolean>(ANSWERS_JSON) === true,
    needsProvider: get<boolean>(NEEDS_PROVIDER) === true,
    hasInput: takesJson !== undefined || schemas.length > 0,
    features: [
      ...(since === undefined ? [] : [since.feature]),
      ...(takesJson?.until === undefined ? [] : [takesJson.until]),
      ...schemas.flatMap((schema) => schema.features),
    ],
  };
}

function schemasOf(controller: object, name: string): readonly SchemaValidator<unknown>[] {
  const parameters = Reflect.getMetadata('__routeArguments__', controller, name) as Record<
    string,
    { readonly pipes: readonly { readonly schema?: unknown }[] }
  >;
  return Object.values(parameters ?? {})
    .flatMap(({ pipes }) => pipes.map(({ schema }) => schema))
    .filter((schema) => schema instanceof SchemaValidator);
}

export interface Era {
  readonly first: ApiVersion;
  readonly last: ApiVersion;
}

const positionOf = (feature: Feature): number => MICROVERSIONS.all.findIndex((version) => version.has(feature));

/** The stretches of versions between which none of the features comes. */
export function erasOf(features: readonly Feature[]): readonly Era[] {
  const starts = new Set([0, ...features.map(positionOf)]);
  const sorted = [...starts].sort((a, b) => a - b);
  return sorted.map((start, i) => {
    const end = (sorted[i + 1] ?? MICROVERSIONS.all.length) - 1;
    return { first: versionAt(start), last: versionAt(end) };
  });
}

function versionAt(position: number): ApiVersion {
  const version = MICROVERSIONS.all[position];
  if (version === undefined) throw new Error(`no version at position ${position}`);
  return version;
}
