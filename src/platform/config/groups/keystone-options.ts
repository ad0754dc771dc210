// Options of the strategy `keystone`, with the names of keystonemiddleware and keystoneauth.

import type { OptionValues } from '../../values/options';
import { boolean, choice, integer, list, text } from '../../values/options';

export const KEYSTONE_AUTHTOKEN_OPTIONS = {
  www_authenticate_uri: text(
    null,
    'Public address of the Identity service for callers without a valid token. Unset: `auth_url`.',
    { formerly: ['auth_uri'] },
  ),
  auth_url: text(null, 'Address at which Berth reaches the Identity service, with or without `/v3`.'),
  auth_type: choice(
    ['password', 'v3password', 'v3applicationcredential'],
    'password',
    'How Berth’s own account logs in.',
    { formerly: ['auth_plugin'] },
  ),
  username: text(null, 'Berth’s own account.', { formerly: ['user_name'] }),
  user_id: text(null, 'Berth’s own account, by id.'),
  password: text(null, 'Password of that account.', { secret: true }),
  project_name: text(null, 'Project of that account.', { formerly: ['tenant_name'] }),
  project_id: text(null, 'Project of that account, by id.', { formerly: ['tenant_id'] }),
  user_domain_name: text(null, 'Domain of that account.'),
  user_domain_id: text(null, 'Domain of that account, by id.'),
  project_domain_name: text(null, 'Domain of that project.'),
  project_domain_id: text(null, 'Domain of that project, by id.'),
  default_domain_name: text(null, 'Domain of account and project if none is named.'),
  default_domain_id: text(null, 'Domain of account and project if none is named, by id.'),
  system_scope: choice(['all'], null, 'Log in with a token for the whole system instead of a project.'),
  application_credential_id: text(null, 'Application credential, for `auth_type = v3applicationcredential`.'),
  application_credential_name: text(null, 'The same by name; needs the account.'),
  application_credential_secret: text(null, 'Secret of that application credential.', { secret: true }),
  region_name: text(
    null,
    'Region whose Identity endpoint validates tokens, from the catalog of Berth’s own token. Unset: `auth_url` does.',
  ),
  interface: choice(['public', 'internal', 'admin'], 'internal', 'Which endpoint of that region.'),
  service_type: text('placement', 'Service type that access rules of application credentials must have.'),
  token_cache_time: integer(300, 'Seconds for which the result of a token validation is cached; -1: no cache.', {
    min: -1,
    max: 86_400,
  }),
  service_token_roles: list(['service'], 'Roles of which a service token must have one.'),
  service_token_roles_required: boolean(false, 'A service token without such a role is refused, not only ignored.'),
  http_connect_timeout: integer(null, 'Seconds to wait for a connection to the Identity service. Unset: 5.', {
    min: 1,
    max: 600,
  }),
  http_request_max_retries: integer(3, 'Repeated attempts to reach the Identity service for one question.', {
    min: 0,
    max: 20,
  }),
  cafile: text(null, 'Certificates that sign the Identity service’s. Unset: the system’s.'),
  certfile: text(null, 'Certificate that Berth shows to the Identity service.'),
  keyfile: text(null, 'Key of that certificate.'),
  insecure: boolean(false, 'Do not check the Identity service’s certificate.'),
} as const;

export type KeystoneOptions = OptionValues<typeof KEYSTONE_AUTHTOKEN_OPTIONS>;
