// Requirements of a route, declared here and enforced by RouteGuard in the contract's order, before the method runs.
import type { ExecutionContext } from '@nestjs/common';
import { createParamDecorator, SetMetadata } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { PolicyRuleName } from '../auth/policy-rules';
import type { ApiVersion, Feature } from '../microversion/api-version';
import { NotFound } from '../values/errors';
import type { Uuid } from '../values/uuid';
import { canonicalUuid } from '../values/uuid';
import type { RequestContext } from './request-context';
import { apiOf } from './request-context';
import { AddRouteConfig } from './route-config';
import type { SchemaValidator } from './schema-validator';
import { BodySchemaPipe, QuerySchemaPipe } from './schema.pipes';

export const SINCE = 'berth:since';
export const POLICY = 'berth:policy';
export const PUBLIC = 'berth:public';
export const TAKES_JSON = 'berth:takes-json';
export const ANSWERS_JSON = 'berth:answers-json';
export const WEIGHED = 'berth:weighed';
export const NEEDS_UUID = 'berth:needs-uuid';
export const NEEDS_PROVIDER = 'berth:needs-provider';

/** Declares the same for every route of a controller. */
export const EveryRoute =
  (...decorators: readonly MethodDecorator[]): ClassDecorator =>
  ({ prototype }: { readonly prototype: object }) => {
    for (const [name, descriptor] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
      const method: unknown = descriptor.value;
      if (typeof method !== 'function' || !Reflect.hasMetadata('method', method)) continue;
      for (const declare of decorators) declare(prototype, name, descriptor);
    }
  };

export interface SinceRule {
  readonly feature: Feature;
  /** 405 without `Allow`, if the URL existed before with other methods. */
  readonly status: 404 | 405;
  /** Most routes check the version first; a few check the content type before. */
  readonly order: 'first' | 'after-content-type';
}

/** The route exists from this feature on. */
export const Since = (feature: Feature, rule: Partial<Omit<SinceRule, 'feature'>> = {}): MethodDecorator =>
  SetMetadata(SINCE, { feature, status: 404, order: 'first', ...rule } satisfies SinceRule);

export interface PolicyDemand {
  readonly rule: PolicyRuleName;
  /** The check concerns the project in this query parameter instead of the caller's. */
  readonly projectFromQuery?: string;
  /** The edge admits callers on this machine without a policy check. */
  readonly isFreeOnLoopback?: true;
}

export const Policy = (rule: PolicyRuleName, extra: Omit<PolicyDemand, 'rule'> = {}): MethodDecorator =>
  SetMetadata(POLICY, { rule, ...extra } satisfies PolicyDemand);

/** Public: the answer discloses no data of users. */
export const Public = (): MethodDecorator => SetMetadata(PUBLIC, true);

/** The audit log entry of a request that can change data. */
export interface AuditRule {
  /** CADF action, with the part of the target after a slash. A PUT that creates its target is logged as `create`. */
  readonly action: string;
  /** Kind of resource, below `service/compute`. */
  readonly target: string;
  /** Document fields that an event can contain; `all` if the schema defines every field by name or pattern. */
  readonly shows: readonly string[] | 'all';
  /** Hosts send it periodically. */
  readonly isReport?: true;
}

/** Fastify's route configuration for the audit log; null if the route changes no data. */
export interface AuditedRoute {
  readonly audit?: AuditRule | null;
}

/** Every request to the route is an audit event. Fields outside `shows` are never logged. */
export const Audited = (
  action: string,
  target: string,
  shows: AuditRule['shows'] = [],
  extra: Pick<AuditRule, 'isReport'> = {},
): MethodDecorator => AddRouteConfig({ audit: { action, target, shows, ...extra } } satisfies AuditedRoute);

/** A read that uses POST because of its long query; it is not audited. */
export const ChangesNothing = (): MethodDecorator => AddRouteConfig({ audit: null } satisfies AuditedRoute);

/** The body must be application/json (415), as one with @ValidBody() is; `until` makes that depend on the version. */
export const TakesJson = (when: { readonly until?: Feature } = {}): MethodDecorator => SetMetadata(TAKES_JSON, when);

/** The client must accept JSON (406). */
export const AnswersJson = (): MethodDecorator => SetMetadata(ANSWERS_JSON, true);

/** Its work is charged to the client's share; it waits if other clients have used less (429 if the queue is full). */
export const Weighed = (): MethodDecorator => SetMetadata(WEIGHED, true);

/** This path parameter must be a uuid (400); checked before the body. */
export const NeedsUuid = (parameter: string): MethodDecorator => SetMetadata(NEEDS_UUID, parameter);

/** The provider in the path must exist (404); checked before the body. */
export const NeedsProvider = (): MethodDecorator => SetMetadata(NEEDS_PROVIDER, true);

const requestOf = (context: ExecutionContext): FastifyRequest => context.switchToHttp().getRequest<FastifyRequest>();

/** The negotiated version. */
export const Api = createParamDecorator((_: unknown, context: ExecutionContext): ApiVersion =>
  apiOf(requestOf(context)),
);

/** All facts of the edge about the request. */
export const Context = createParamDecorator(
  (_: unknown, context: ExecutionContext): RequestContext => requestOf(context).berth,
);

/** The provider's uuid in the path, in canonical form; other text is answered with 404. */
export const ProviderUuidParam = createParamDecorator((_: unknown, context: ExecutionContext): Uuid => {
  const { uuid = '' } = requestOf(context).params as { uuid?: string };
  return providerUuidOf(uuid);
});

export function providerUuidOf(text: string): Uuid {
  const uuid = canonicalUuid(text);
  if (uuid === undefined) throw new NotFound(`No resource provider with uuid ${text} found.`);
  return uuid;
}

/** Passes the whole request to a pipe, which otherwise sees only its value. */
export const Received = createParamDecorator((_: unknown, context: ExecutionContext) => requestOf(context));

/** The JSON body, validated by the schema of the request's version. */
export const ValidBody =
  <T>(schema: SchemaValidator<T>): ParameterDecorator =>
  (prototype, method = '', at) => {
    TakesJson()(prototype, method, Object.getOwnPropertyDescriptor(prototype, method) ?? {});
    Received(new BodySchemaPipe(schema))(prototype, method, at);
  };

/** The query string, validated by the schema of the request's version. */
export const ValidQuery = (schema: SchemaValidator<Readonly<Record<string, string>>>): ParameterDecorator =>
  Received(new QuerySchemaPipe(schema));
