// What a route demands before its method runs: declared here, carried out by RouteGuard in the contract's order.
import { SetMetadata, createParamDecorator } from '@nestjs/common';
import type { ExecutionContext } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import type { PolicyRuleName } from '../auth/policy-rules';
import { canonicalUuid } from '../domain/uuid';
import type { Uuid } from '../domain/uuid';
import { NotFound } from '../domain/errors';
import type { ApiVersion } from '../microversion/api-version';
import type { Feature } from '../microversion/microversions';
import { AddRouteConfig } from './route-config';
import { apiOf } from './request-context';
import type { RequestContext } from './request-context';
import { BodySchemaPipe, QuerySchemaPipe } from './schema.pipes';
import type { SchemaValidator } from './schema-validator';

export const SINCE = 'berth:since';
export const POLICY = 'berth:policy';
export const PUBLIC = 'berth:public';
export const TAKES_JSON = 'berth:takes-json';
export const ANSWERS_JSON = 'berth:answers-json';
export const WEIGHED = 'berth:weighed';
export const NEEDS_UUID = 'berth:needs-uuid';
export const NEEDS_PROVIDER = 'berth:needs-provider';

export interface SinceRule {
  readonly feature: Feature;
  /** 405 without `Allow` where the URL existed before. */
  readonly status: 404 | 405;
  /** Most routes judge the version first; a few look at the content type before. */
  readonly order: 'first' | 'after-content-type';
}

/** The route exists from this feature on. */
export const Since = (feature: Feature, rule: Partial<Omit<SinceRule, 'feature'>> = {}): MethodDecorator =>
  SetMetadata(SINCE, { feature, status: 404, order: 'first', ...rule } satisfies SinceRule);

export interface PolicyDemand {
  readonly rule: PolicyRuleName;
  /** The project that the check is about comes from this query parameter, not from the caller. */
  readonly projectFromQuery?: string;
  /** Whoever asks from this machine is let in unasked, which the edge decides. */
  readonly isFreeOnLoopback?: true;
}

export const Policy = (rule: PolicyRuleName, extra: Omit<PolicyDemand, 'rule'> = {}): MethodDecorator =>
  SetMetadata(POLICY, { rule, ...extra } satisfies PolicyDemand);

/** Open to everybody, for it tells nothing of anybody. */
export const Public = (): MethodDecorator => SetMetadata(PUBLIC, true);

/** What the audit log says of a request that may change something. */
export interface AuditRule {
  /** CADF's word, and after the slash the part of the target. A PUT that creates its target is logged as `create`. */
  readonly action: string;
  /** Kind of resource, below `service/compute`. */
  readonly target: string;
  /** Fields of documents that an event shows; `all` if the schema knows each of them by name or by form. */
  readonly shows: readonly string[] | 'all';
  /** Hosts send it by themselves, again and again. */
  readonly isReport?: true;
}

/** What Fastify keeps of a route for the audit log; null: the route changes nothing. */
export interface AuditedRoute {
  readonly audit?: AuditRule | null;
}

/** Every use of the route is an event of the audit log. Fields that `shows` does not name are never written down. */
export const Audited = (
  action: string,
  target: string,
  shows: AuditRule['shows'] = [],
  extra: Pick<AuditRule, 'isReport'> = {},
): MethodDecorator => AddRouteConfig({ audit: { action, target, shows, ...extra } } satisfies AuditedRoute);

/** The route takes POST only because the question is long; it is not audited. */
export const ChangesNothing = (): MethodDecorator => AddRouteConfig({ audit: null } satisfies AuditedRoute);

/** The body must be application/json (415); `if` makes that depend on the version. */
export const TakesJson = (when: { readonly until?: Feature } = {}): MethodDecorator => SetMetadata(TAKES_JSON, when);

/** JSON must be acceptable to the client (406). */
export const AnswersJson = (): MethodDecorator => SetMetadata(ANSWERS_JSON, true);

/** Its work is charged to the client's share, and waits for its turn where others had less (429 beyond the queue). */
export const Weighed = (): MethodDecorator => SetMetadata(WEIGHED, true);

/** This parameter of the path must be a uuid (400) before the body is looked at. */
export const NeedsUuid = (parameter: string): MethodDecorator => SetMetadata(NEEDS_UUID, parameter);

/** The provider in the path must exist (404) before the body is looked at. */
export const NeedsProvider = (): MethodDecorator => SetMetadata(NEEDS_PROVIDER, true);

const requestOf = (context: ExecutionContext): FastifyRequest => context.switchToHttp().getRequest<FastifyRequest>();

/** The negotiated version. */
export const Api = createParamDecorator((_: unknown, context: ExecutionContext): ApiVersion =>
  apiOf(requestOf(context)),
);

/** Everything the edge knows of the request. */
export const Context = createParamDecorator(
  (_: unknown, context: ExecutionContext): RequestContext => requestOf(context).berth,
);

/** The provider's uuid in the path, canonical; what is no uuid names no provider (404). */
export const ProviderUuidParam = createParamDecorator((_: unknown, context: ExecutionContext): Uuid => {
  const { uuid = '' } = requestOf(context).params as { uuid?: string };
  return providerUuidOf(uuid);
});

export function providerUuidOf(text: string): Uuid {
  const uuid = canonicalUuid(text);
  if (uuid === undefined) throw new NotFound(`No resource provider with uuid ${text} found.`);
  return uuid;
}

/** For pipes, which see of a request only what they are given. */
export const Received = createParamDecorator((_: unknown, context: ExecutionContext) => requestOf(context));

/** The JSON body, judged by the schema of the request's version. */
export const ValidBody = <T>(schema: SchemaValidator<T>): ParameterDecorator => Received(new BodySchemaPipe(schema));

/** The query string, judged by the schema of the request's version. */
export const ValidQuery = (schema: SchemaValidator<Readonly<Record<string, string>>>): ParameterDecorator =>
  Received(new QuerySchemaPipe(schema));
