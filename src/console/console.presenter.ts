// What the console is told of the service, of its caller and of a login. Pure.
import { POLICY_RULES } from '../auth/policy-rules';
import type { PolicyEnforcer } from '../auth/policy-enforcer';
import type { LoginVerdict, Principal } from '../auth/principal';
import type { BerthConfig } from '../config/berth-config';
import { VERSION } from '../version';

type LoginKind = 'noauth' | 'token' | 'password';

/** The way that a page should offer first comes first. */
const LOGINS: Readonly<Record<BerthConfig['api']['auth_strategy'], readonly LoginKind[]>> = {
  noauth2: ['noauth'],
  static: ['token'],
  keystone: ['password', 'token'],
};

/** What Keystone calls the domain that it makes itself. */
const USUAL_DOMAIN = 'Default';

export const defaultDomainOf = ({ keystone_authtoken: { default_domain_name: name } }: BerthConfig): string =>
  name ?? USUAL_DOMAIN;

/** For everybody, so nothing in it is worth hiding. */
export const presentConfig = (config: BerthConfig): object => ({
  version: VERSION,
  api_prefix: config.berth.url_prefix,
  logins: LOGINS[config.api.auth_strategy],
  default_domain: defaultDomainOf(config),
});

/** `may`: the rules that let the caller do what they guard, as far as that is up to nothing but the caller. */
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
