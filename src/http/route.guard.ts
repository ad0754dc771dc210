// Carries out what routes declare, in the contract's order: version window, content negotiation, policy, provider.
// Whatever fails here is decided before the body is looked at.
import { Injectable } from '@nestjs/common';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import type { PolicyEnforcer } from '../auth/policy-enforcer';
import { canonicalUuid } from '../domain/uuid';
import { InvalidInput, NotFound } from '../errors/domain-errors';
import type { Feature } from '../microversion/microversions';
import { acceptsJson } from './accept';
import type { ProviderLookup } from './provider-lookup';
import { QueryParams } from './query-params';
import { HttpRefusal } from './http-refusal';
import {
  ANSWERS_JSON,
  NEEDS_PROVIDER,
  NEEDS_UUID,
  POLICY,
  SINCE,
  TAKES_JSON,
  providerUuidOf,
} from './route.decorators';
import type { PolicyDemand, SinceRule } from './route.decorators';

const JSON_TYPE = 'application/json';

@Injectable()
export class RouteGuard implements CanActivate {
  constructor(
    private readonly reflector: Reflector,
    private readonly policies: PolicyEnforcer,
    private readonly providers: ProviderLookup,
  ) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const route = context.getHandler();
    const since = this.reflector.get<SinceRule | undefined>(SINCE, route);
    if (since?.order === 'first') checkSince(since, request);
    this.checkTypes(route, request);
    if (since?.order === 'after-content-type') checkSince(since, request);
    this.checkPolicy(this.reflector.get<PolicyDemand | undefined>(POLICY, route), request);
    checkUuid(this.reflector.get<string | undefined>(NEEDS_UUID, route), request);
    if (this.reflector.get<boolean | undefined>(NEEDS_PROVIDER, route) === true) await this.checkProvider(request);
    return true;
  }

  private checkTypes(route: ReturnType<ExecutionContext['getHandler']>, request: FastifyRequest): void {
    const takes = this.reflector.get<{ until?: Feature } | undefined>(TAKES_JSON, route);
    const wantsBody =
      takes !== undefined && (takes.until === undefined || request.berth.api?.has(takes.until) !== true);
    if (wantsBody && request.berth.mediaType !== JSON_TYPE) {
      const given = request.berth.mediaType ?? 'None';
      throw new HttpRefusal({ status: 415, detail: `The media type ${given} is not supported, use ${JSON_TYPE}` });
    }
    const answers = this.reflector.get<boolean | undefined>(ANSWERS_JSON, route) === true;
    if (answers && !acceptsJson(request.headers.accept)) {
      throw new HttpRefusal({ status: 406, detail: `Only ${JSON_TYPE} is provided` });
    }
  }

  private checkPolicy(demand: PolicyDemand | undefined, request: FastifyRequest): void {
    if (demand === undefined) return;
    const { principal, queryText } = request.berth;
    if (principal === undefined) throw new Error(`${request.berth.path} has a policy but no caller`);
    const { rule, projectFromQuery } = demand;
    const target =
      projectFromQuery === undefined
        ? undefined
        : { project_id: QueryParams.parse(queryText).last(projectFromQuery) ?? null, user_id: principal.userId };
    const answer =
      target === undefined ? this.policies.check(rule, principal) : this.policies.check(rule, principal, target);
    if (!answer.allowed) throw new HttpRefusal({ status: 403, detail: answer.message });
  }

  private async checkProvider(request: FastifyRequest): Promise<void> {
    const { uuid: text = '' } = request.params as { uuid?: string };
    const uuid = providerUuidOf(text);
    if (!(await this.providers.exists(uuid))) throw new NotFound(`No resource provider with uuid ${uuid} found.`);
  }
}

function checkUuid(parameter: string | undefined, request: FastifyRequest): void {
  if (parameter === undefined) return;
  const text = (request.params as Readonly<Record<string, string>>)[parameter] ?? '';
  if (canonicalUuid(text) === undefined) throw new InvalidInput(`Malformed ${parameter}: ${text}`);
}

function checkSince(since: SinceRule, request: FastifyRequest): void {
  if (request.berth.api?.has(since.feature) === true) return;
  throw new HttpRefusal({ status: since.status, detail: '' });
}
