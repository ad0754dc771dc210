// Documents for the console about the service, the caller and a login. Pure.
import type { PolicyEnforcer } from '../platform/auth/policy-enforcer';
import { POLICY_RULES } from '../platform/auth/policy-rules';
import type { LoginVerdict, Principal } from '../platform/auth/principal';
import { VERSION } from '../platform/version';
import type { ConsoleConfig } from './options';

type LoginKind = 'noauth' | 'token' | 'password';

/** In the order in which a page should offer them. */
const LOGINS: Readonly<Record<ConsoleConfig['api']['auth_strategy'], readonly LoginKind[]>> = {
  noauth2: ['noauth'],
  static: ['token'],
  keystone: ['password', 'token'],
};

/** The name of the domain that Keystone creates. */
const USUAL_DOMAIN = 'Default';

export const defaultDomainOf = ({ keystone_authtoken: { default_domain_name: name } }: ConsoleConfig): string =>
  name ?? USUAL_DOMAIN;

/** Public, so it must not contain confidential values. `build`: of the page that this process serves, if it has one. */
export const presentConfig = (config: ConsoleConfig, build: string | null): object => ({
  version: VERSION,
  build,
  api_prefix: config.berth.url_prefix,
  logins: LOGINS[config.api.auth_strategy],
  default_domain: defaultDomainOf(config),
});

/** `may`: the rules that allow the caller, checked without a target. */
export const presentSession = (principal: Principal, policies: PolicyEnforcer): object => ({
  user_id: principal.userId,
  project_id: principal.projectId,
  roles: principal.roles,
  may: POLICY_RULES.map(({ name }) => name).filter((name) => policies.check(name, principal).allowed),
});

export const presentLogin = ({
  token,
  expiresAt,
  principal: { userId, projectId, roles, identity },
}: Extract<LoginVerdict, { readonly kind: 'let in' }>): object => ({
  token,
  expires_at: new Date(expiresAt).toISOString(),
  user: identity?.userName ?? userId,
  project: identity?.projectName ?? projectId ?? '',
  roles,
});
