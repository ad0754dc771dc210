// Parses the Identity service's description of a token. Pure: text in, principal out. A malformed document is a fault
// of the service and never admits a caller.

import { IDENTITY_LIMITS } from '../../config/limits/auth';
import type { JsonObject } from '../../values/json-object';
import { isJsonObject } from '../../values/json-object';
import type { IdAndName, IdentityFacts, Principal } from '../principal';
import type { AccessRule } from './access-rules';
import { pathPattern } from './access-rules';

/** The part of a token that authentication needs. */
export interface KnownToken {
  readonly principal: Principal;
  /** Milliseconds since 1970. */
  readonly expiresAt: number;
  /** Null if the token has no access rules. */
  readonly accessRules: readonly AccessRule[] | null;
}

type TokenReading =
  | { readonly kind: 'token'; readonly token: KnownToken }
  /** Valid, but beyond Berth's limits. */
  | { readonly kind: 'too much'; readonly reason: string }
  | { readonly kind: 'malformed'; readonly reason: string };

class Malformed extends Error {}
class TooMuch extends Error {}

const fieldsOf = (value: unknown, what: string): JsonObject => {
  if (!isJsonObject(value)) throw new Malformed(`${what} is no object`);
  return value;
};

const textOf = (value: unknown, what: string): string => {
  if (typeof value !== 'string' || value === '') throw new Malformed(`${what} is no text`);
  return value;
};

const textOrNull = (value: unknown, what: string): string | null =>
  value === undefined || value === null ? null : textOf(value, what);

const listOf = (value: unknown, what: string): readonly unknown[] => {
  if (!Array.isArray(value)) throw new Malformed(`${what} is no list`);
  return value;
};

const optional = <T>(value: unknown, read: (present: unknown) => T): T | null =>
  value === undefined || value === null ? null : read(value);

const NAMELESS: IdAndName = Object.freeze({ id: null, name: null });

/** An id, a name, or both: the domain of a federated user can lack either. */
const namedOf = (value: unknown, what: string): IdAndName =>
  optional(value, (present) => {
    const { id, name } = fieldsOf(present, what);
    return { id: textOrNull(id, `${what}.id`), name: textOrNull(name, `${what}.name`) };
  }) ?? NAMELESS;

const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$/;

const timeOf = (value: unknown, what: string): number => {
  const text = textOf(value, what);
  const time = TIME.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(time)) throw new Malformed(`${what} is no time`);
  return time;
};

const rolesOf = (value: unknown): readonly string[] => {
  const roles = listOf(value ?? [], 'roles');
  if (roles.length > IDENTITY_LIMITS.rolesPerToken) throw new TooMuch('it has too many roles');
  return roles.map((role) => textOf(fieldsOf(role, 'a role').name, 'the name of a role'));
};

const textsOf = (value: unknown, what: string): readonly string[] =>
  listOf(value ?? [], what).map((entry) => textOf(entry, `an entry of ${what}`));

/** Keeps only the rules for this service; the others allow nothing here. */
const accessRulesOf = (value: unknown, service: string): readonly AccessRule[] => {
  const rules = listOf(value, 'access_rules');
  if (rules.length > IDENTITY_LIMITS.accessRulesPerToken) throw new TooMuch('it has too many access rules');
  const read = rules.map((rule) => {
    const fields = fieldsOf(rule, 'an access rule');
    return {
      service: textOf(fields.service, 'the service of an access rule'),
      method: textOf(fields.method, 'the method of an access rule'),
      path: textOf(fields.path, 'the path of an access rule'),
    };
  });
  const own = read.filter((rule) => rule.service === service);
  const characters = own.reduce((sum, { path }) => sum + path.length, 0);
  if (characters > IDENTITY_LIMITS.accessRuleCharacters)
    throw new TooMuch('the paths of its access rules are too long');
  return own.map((rule) => ({ ...rule, path: pathPattern(rule.path) }));
};

/** A token is scoped to a project, a domain, the system, or is unscoped. */
const scopeOf = (token: JsonObject): Pick<Principal, 'projectId' | 'systemScope' | 'domainId'> => {
  const project = optional(token.project, (value) => textOf(fieldsOf(value, 'project').id, 'project.id'));
  const domain = optional(token.domain, (value) => textOf(fieldsOf(value, 'domain').id, 'domain.id'));
  const isSystem = optional(token.system, (value) => fieldsOf(value, 'system').all === true) ?? false;
  if (Number(project !== null) + Number(domain !== null) + Number(isSystem) > 1) {
    throw new Malformed('it has more than one scope');
  }
  return { projectId: project, systemScope: isSystem ? 'all' : null, domainId: domain };
};

const factsOf = (token: JsonObject, user: JsonObject, expiresAt: number): IdentityFacts => {
  const project = optional(token.project, (value) => fieldsOf(value, 'project'));
  const credential = optional(token.application_credential, (value) => fieldsOf(value, 'application_credential'));
  return {
    userName: textOrNull(user.name, 'user.name'),
    userDomain: namedOf(user.domain, 'user.domain'),
    projectName: textOrNull(project?.name, 'project.name'),
    projectDomain: namedOf(project?.domain, 'project.domain'),
    isDomain: token.is_domain === true,
    expiresAt,
    auditIds: textsOf(token.audit_ids, 'audit_ids'),
    methods: textsOf(token.methods, 'methods'),
    applicationCredentialId: textOrNull(credential?.id, 'application_credential.id'),
  };
};

const tokenOf = (text: string, service: string): KnownToken => {
  const token = fieldsOf(fieldsOf(JSON.parse(text) as unknown, 'it').token, 'token');
  const user = fieldsOf(token.user, 'user');
  const expiresAt = timeOf(token.expires_at, 'expires_at');
  const scope = scopeOf(token);
  const isScoped = scope.projectId !== null || scope.systemScope !== null || typeof scope.domainId === 'string';
  const credential = optional(token.application_credential, (value) => fieldsOf(value, 'application_credential'));
  return {
    principal: {
      userId: textOf(user.id, 'user.id'),
      ...scope,
      // Roles need a scope; roles of an unscoped token are ignored.
      roles: isScoped ? rolesOf(token.roles) : [],
      identity: factsOf(token, user, expiresAt),
    },
    expiresAt,
    accessRules: optional(credential?.access_rules, (rules) => accessRulesOf(rules, service)),
  };
};

/** Parses the answer to a token validation. `service` is this service's type. Never throws. */
export const readToken = (text: string, service: string): TokenReading => {
  try {
    return { kind: 'token', token: tokenOf(text, service) };
  } catch (error) {
    if (error instanceof TooMuch) return { kind: 'too much', reason: error.message };
    if (error instanceof Malformed) return { kind: 'malformed', reason: error.message };
    if (error instanceof SyntaxError) return { kind: 'malformed', reason: 'it is no JSON' };
    throw error;
  }
};

/** An endpoint of the catalog. */
export interface EndpointQuery {
  /** Type of the service; default: `identity`. */
  readonly serviceType?: string;
  /** Null: any region. */
  readonly region: string | null;
  /** Several: the first one that has an endpoint. */
  readonly interface: string | readonly string[];
}

/** From Berth's own login: expiry, and the endpoint that was asked for. */
export interface OwnTokenFacts {
  readonly expiresAt: number;
  readonly endpoint: string | null;
}

const endpointOf = (catalog: unknown, where: EndpointQuery): string | null => {
  const { serviceType = 'identity', region, interface: interfaces } = where;
  const services = listOf(catalog ?? [], 'catalog').map((entry) => fieldsOf(entry, 'a service of the catalog'));
  const endpoints = services
    .filter(({ type }) => type === serviceType)
    .flatMap(({ endpoints: listed }) => listOf(listed ?? [], 'endpoints'))
    .map((entry) => fieldsOf(entry, 'an endpoint'));
  const inRegion = endpoints.filter((each) => region === null || (each.region_id ?? each.region) === region);
  const found = [interfaces].flat().flatMap((name) => inRegion.filter((each) => each.interface === name))[0];
  return found === undefined ? null : textOf(found.url, 'the address of an endpoint');
};

/** Parses the answer to Berth's own login. */
export const readOwnToken = (
  text: string,
  where: EndpointQuery | null,
): OwnTokenFacts | { readonly malformed: string } => {
  try {
    const token = fieldsOf(fieldsOf(JSON.parse(text) as unknown, 'it').token, 'token');
    return {
      expiresAt: timeOf(token.expires_at, 'expires_at'),
      endpoint: where === null ? null : endpointOf(token.catalog, where),
    };
  } catch (error) {
    if (error instanceof Malformed) return { malformed: error.message };
    if (error instanceof SyntaxError) return { malformed: 'it is no JSON' };
    throw error;
  }
};

/** Whether the text is the Identity service's error document with this status. */
export const isRefusalDocument = (text: string, status: number): boolean => {
  try {
    const document: unknown = JSON.parse(text);
    return isJsonObject(document) && isJsonObject(document.error) && document.error.code === status;
  } catch {
    return false;
  }
};
