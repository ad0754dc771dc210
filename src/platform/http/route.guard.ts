// Enforces the declarations of routes in the contract's order: version window, content negotiation, policy, provider,
// and admission for weighed routes. All of these checks run before the body is read. A route's declarations are read at
// its first request. A route that declares neither a policy nor @Public() is refused.
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { PolicyEnforcer } from '../auth/policy-enforcer';
import type { Feature } from '../microversion/api-version';
import { DomainError, InvalidInput, NotFound } from '../values/errors';
import { isUuidLike } from '../values/uuid';
import { acceptsJson } from './accept';
import type { Admission } from './admission';
import { JSON_TYPE, refuseOtherTypes } from './json-body';
import type { ProviderLookup } from './provider-lookup';
import { QueryParams } from './query-params';
import type { PolicyDemand, SinceRule } from './route.decorators';
import {
  ANSWERS_JSON,
  NEEDS_PROVIDER,
  NEEDS_UUID,
  POLICY,
  providerUuidOf,
  PUBLIC,
  SINCE,
  TAKES_JSON,
  WEIGHED,
} from './route.decorators';

/** Throws the refusal; returns a promise if a check is asynchronous. */
type RouteCheck = (request: FastifyRequest, reply: () => FastifyReply) => true | Promise<true>;

type Step = (request: FastifyRequest) => void;

export class RouteGuard implements CanActivate {
  private readonly checks = new Map<object, RouteCheck>();

  constructor(
    private readonly policies: PolicyEnforcer,
    private readonly providers: ProviderLookup,
    private readonly admission: Pick<Admission, 'admit'>,
  ) {}

  canActivate(context: ExecutionContext): true | Promise<true> {
    const method = context.getHandler();
    let check = this.checks.get(method);
    if (check === undefined) {
      check = this.checkOf(method);
      this.checks.set(method, check);
    }
    const http = context.switchToHttp();
    return check(http.getRequest<FastifyRequest>(), () => http.getResponse<FastifyReply>());
  }

  private checkOf(method: object & { readonly name: string }): RouteCheck {
    const declared = <T>(key: string): T | undefined => Reflect.getMetadata(key, method) as T | undefined;
    const since = declared<SinceRule>(SINCE);
    const takes = declared<{ until?: Feature }>(TAKES_JSON);
    const policy = declared<PolicyDemand>(POLICY);
    const uuid = declared<string>(NEEDS_UUID);
    if ((policy === undefined) !== (declared<boolean>(PUBLIC) === true)) {
      throw new Error(`Route ${method.name} must declare either a policy or @Public().`);
    }
    const steps: readonly Step[] = [
      ...(since?.order === 'first' ? [checkSince(since)] : []),
      ...(takes === undefined ? [] : [checkBodyType(takes.until)]),
      ...(declared<boolean>(ANSWERS_JSON) === true ? [checkAccept] : []),
      ...(since?.order === 'after-content-type' ? [checkSince(since)] : []),
      ...(policy === undefined ? [] : [this.checkPolicy(policy)]),
      ...(uuid === undefined ? [] : [checkUuid(uuid)]),
    ];
    const needsProvider = declared<boolean>(NEEDS_PROVIDER) === true;
    const isWeighed = declared<boolean>(WEIGHED) === true;
    if (isWeighed && needsProvider)
      throw new Error(`Route ${method.name} cannot declare both @Weighed() and @NeedsProvider().`);
    return (request, reply) => {
      for (const step of steps) step(request);
      if (isWeighed) return this.admission.admit(request, reply());
      return needsProvider ? this.checkProvider(request) : true;
    };
  }

  private checkPolicy({ rule, projectFromQuery, isFreeOnLoopback }: PolicyDemand): Step {
    return (request) => {
      const { principal, queryText, surface } = request.berth;
      if (principal === undefined && isFreeOnLoopback) return;
      if (principal === undefined) throw new Error(`${request.berth.path} has a policy but no caller`);
      const target =
        projectFromQuery === undefined
          ? undefined
          : { project_id: QueryParams.parse(queryText).last(projectFromQuery) ?? null, user_id: principal.userId };
      const answer = this.policies.check(rule, principal, target);
      if (answer.allowed) {
        if (surface === 'practice_cloud') {
          request.berth.isForOthers = this.policies.check('berth:practice_cloud:others', principal).allowed;
        }
        return;
      }
      request.berth.auditContext?.note({ policyRule: rule });
      throw new DomainError('forbidden', answer.message);
    };
  }

  private async checkProvider(request: FastifyRequest): Promise<true> {
    const { uuid: text = '' } = request.params as { uuid?: string };
    const uuid = providerUuidOf(text);
    if (!(await this.providers.exists(uuid))) throw new NotFound(`No resource provider with uuid ${uuid} found.`);
    return true;
  }
}

const checkSince =
  ({ feature, status }: SinceRule): Step =>
  (request) => {
    if (request.berth.api?.has(feature) === true) return;
    throw new DomainError(status === 405 ? 'method_not_allowed' : 'not_found', '');
  };

const checkBodyType =
  (until: Feature | undefined): Step =>
  (request) => {
    if (until === undefined || request.berth.api?.has(until) !== true) refuseOtherTypes(request);
  };

const checkAccept: Step = (request) => {
  if (acceptsJson(request.headers.accept)) return;
  throw new DomainError('not_acceptable', `Only ${JSON_TYPE} is provided`);
};

const checkUuid =
  (parameter: string): Step =>
  (request) => {
    const text = (request.params as Readonly<Record<string, string>>)[parameter] ?? '';
    if (!isUuidLike(text)) throw new InvalidInput(`Malformed ${parameter}: ${text}`);
  };
