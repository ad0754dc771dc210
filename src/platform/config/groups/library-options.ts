// Options of the libraries that Placement uses (logging, middleware, CORS), as far as Berth honours them.

import { boolean, integer, list } from '../../values/options';

export const DEFAULT_OPTIONS = {
  debug: boolean(false, 'Log at level `debug`. `LOG_LEVEL` overrides it.'),
  log_options: boolean(true, 'Write all options, secrets masked, to the debug log at start.'),
} as const;

export const OSLO_MIDDLEWARE_OPTIONS = {
  enable_proxy_headers_parsing: boolean(
    false,
    'Honour `Forwarded` and `X-Forwarded-*` of a proxy in front. Only where clients cannot reach the service directly.',
  ),
} as const;

export const CORS_OPTIONS = {
  allowed_origin: list([], 'Origins of pages that can send requests, `*` for all. Empty: CORS is off.'),
  allow_credentials: boolean(true, 'Send `Access-Control-Allow-Credentials: true`.'),
  expose_headers: list(
    ['X-Auth-Token', 'X-Openstack-Request-Id', 'X-Subject-Token', 'X-Service-Token', 'OpenStack-API-Version'],
    'Response headers that a page can read.',
  ),
  max_age: integer(3_600, 'Seconds for which a browser can cache a preflight answer.', { min: 0 }),
  allow_methods: list(['GET', 'PUT', 'POST', 'DELETE', 'PATCH'], 'Methods that a page can use.'),
  allow_headers: list(
    [
      'X-Auth-Token',
      'X-Openstack-Request-Id',
      'X-Identity-Status',
      'X-Roles',
      'X-Service-Catalog',
      'X-User-Id',
      'X-Tenant-Id',
      'OpenStack-API-Version',
    ],
    'Request headers that a page can send in addition to the simple ones.',
  ),
} as const;
