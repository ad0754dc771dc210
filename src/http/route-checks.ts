// Carries out what routes declare, in the contract's order: version window, content negotiation, policy, provider.
// Whatever fails here is decided before the body is looked at. What a route declares is read once, when it registers.
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

/** Throws what the client is told; a promise where something had to be asked. */
export type RouteCheck = (request: FastifyRequest) => Promise<void> | undefined;

type Step = (request: FastifyRequest) => void;

export class RouteChecks {
  constructor(
    private readonly policies: PolicyEnforcer,
    private readonly providers: ProviderLookup,
  ) {}

  /** The check of a route, from what the decorators left on its method. */
  of(method: object): RouteCheck {
    const declared = <T>(key: string): T | undefined => Reflect.getMetadata(key, method) as T | undefined;
    const since = declared<SinceRule>(SINCE);
    const takes = declared<{ until?: Feature }>(TAKES_JSON);
    const policy = declared<PolicyDemand>(POLICY);
    const uuid = declared<string>(NEEDS_UUID);
    const steps: readonly Step[] = [
      ...(since?.order === 'first' ? [checkSince(since)] : []),
      ...(takes === undefined ? [] : [checkBodyType(takes.until)]),
      ...(declared<boolean>(ANSWERS_JSON) === true ? [checkAccept] : []),
      ...(since?.order === 'after-content-type' ? [checkSince(since)] : []),
      ...(policy === undefined ? [] : [this.checkPolicy(policy)]),
      ...(uuid === undefined ? [] : [checkUuid(uuid)]),
    ];
    const needsProvider = declared<boolean>(NEEDS_PROVIDER) === true;
    return (request) => {
      for (const step of steps) step(request);
      return needsProvider ? this.checkProvider(request) : undefined;
    };
  }

  private checkPolicy({ rule, projectFromQuery }: PolicyDemand): Step {
    return (request) => {
      const { principal, queryText } = request.berth;
      if (principal === undefined) throw new Error(`${request.berth.path} has a policy but no caller`);
      const target =
        projectFromQuery === undefined
          ? undefined
          : { project_id: QueryParams.parse(queryText).last(projectFromQuery) ?? null, user_id: principal.userId };
      const answer = this.policies.check(rule, principal, target);
      if (!answer.allowed) throw new HttpRefusal({ status: 403, detail: answer.message });
    };
  }

  private async checkProvider(request: FastifyRequest): Promise<void> {
    const { uuid: text = '' } = request.params as { uuid?: string };
    const uuid = providerUuidOf(text);
    if (!(await this.providers.exists(uuid))) throw new NotFound(`No resource provider with uuid ${uuid} found.`);
  }
}

const checkSince =
  ({ feature, status }: SinceRule): Step =>
  (request) => {
    if (request.berth.api?.has(feature) !== true) throw new HttpRefusal({ status, detail: '' });
  };

const checkBodyType =
  (until: Feature | undefined): Step =>
  (request) => {
    const wantsBody = until === undefined || request.berth.api?.has(until) !== true;
    if (!wantsBody || request.berth.mediaType === JSON_TYPE) return;
    const given = request.berth.mediaType ?? 'None';
    throw new HttpRefusal({ status: 415, detail: `The media type ${given} is not supported, use ${JSON_TYPE}` });
  };

const checkAccept: Step = (request) => {
  if (acceptsJson(request.headers.accept)) return;
  throw new HttpRefusal({ status: 406, detail: `Only ${JSON_TYPE} is provided` });
};

const checkUuid =
  (parameter: string): Step =>
  (request) => {
    const text = (request.params as Readonly<Record<string, string>>)[parameter] ?? '';
    if (canonicalUuid(text) === undefined) throw new InvalidInput(`Malformed ${parameter}: ${text}`);
  };
