// Interprets the options of [keystone_authtoken]: addresses, and the body of Berth's own login.

import type { KeystoneOptions } from '../../config/groups/keystone-options';
import { isCredential, lacks } from '../../config/keystone-laws';
import { IDENTITY_LIMITS } from '../../config/limits/auth';

/** File paths as configured. */
export interface KeystoneTls {
  readonly caFile: string | null;
  readonly certFile: string | null;
  readonly keyFile: string | null;
  readonly isUnchecked: boolean;
}

export interface KeystoneSettings {
  /** Ends with `/v3`. */
  readonly endpoint: string;
  readonly challenge: string;
  /** The body of POST /v3/auth/tokens. */
  readonly login: object;
  /** The catalog endpoint for validation, if it is not `endpoint`. */
  readonly where: { readonly region: string; readonly interface: string } | null;
  readonly tls: KeystoneTls;
  readonly connectTimeoutMs: number;
  readonly retries: number;
  /** 0 disables the cache. */
  readonly keptMs: number;
  readonly serviceType: string;
  readonly serviceRoles: ReadonlySet<string>;
  readonly isServiceRoleRequired: boolean;
}

/** The address of version 3, even if the configured address names another version or none. */
export const versionedEndpoint = (text: string): string => {
  const path = new URL(text).href.replace(/\/+$/, '').replace(/\/v(?:2\.0|3)$/, '');
  return `${path}/v3`;
};

const idOrName = (id: string | null, name: string | null): object => (lacks(id) ? { name } : { id });

const domainOf = (id: string | null, name: string | null, options: KeystoneOptions): object =>
  lacks(id, name) ? idOrName(options.default_domain_id, options.default_domain_name) : idOrName(id, name);

const userOf = (options: KeystoneOptions): object =>
  lacks(options.user_id)
    ? { name: options.username, domain: domainOf(options.user_domain_id, options.user_domain_name, options) }
    : { id: options.user_id };

const projectOf = (options: KeystoneOptions): object =>
  lacks(options.project_id)
    ? {
        name: options.project_name,
        domain: domainOf(options.project_domain_id, options.project_domain_name, options),
      }
    : { id: options.project_id };

const loginOf = (options: KeystoneOptions): object => {
  if (!isCredential(options)) {
    const scope = options.system_scope === null ? { project: projectOf(options) } : { system: { all: true } };
    const user = { ...userOf(options), password: options.password };
    return { auth: { identity: { methods: ['password'], password: { user } }, scope } };
  }
  const named = lacks(options.application_credential_id)
    ? { name: options.application_credential_name, user: userOf(options) }
    : { id: options.application_credential_id };
  const credential = { ...named, secret: options.application_credential_secret };
  return { auth: { identity: { methods: ['application_credential'], application_credential: credential } } };
};

/** The options must be valid. */
export const keystoneSettings = (options: KeystoneOptions): KeystoneSettings => {
  const url = options.auth_url ?? '';
  return {
    endpoint: versionedEndpoint(url),
    challenge: `Keystone uri="${new URL(options.www_authenticate_uri ?? url).href.replace(/\/+$/, '')}"`,
    login: loginOf(options),
    where: lacks(options.region_name) ? null : { region: options.region_name ?? '', interface: options.interface },
    tls: {
      caFile: options.cafile,
      certFile: options.certfile,
      keyFile: options.keyfile,
      isUnchecked: options.insecure,
    },
    connectTimeoutMs:
      options.http_connect_timeout === null ? IDENTITY_LIMITS.connectTimeoutMs : options.http_connect_timeout * 1_000,
    retries: options.http_request_max_retries,
    keptMs: Math.max(options.token_cache_time, 0) * 1_000,
    serviceType: options.service_type,
    serviceRoles: new Set(options.service_token_roles.map((role) => role.toLowerCase())),
    isServiceRoleRequired: options.service_token_roles_required,
  };
};
