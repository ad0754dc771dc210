// Options of the libraries that Placement uses (logging, middleware, CORS, tracing), as far as Berth honours them. The
// others are listed so that an existing configuration causes a warning instead of an error.

import { boolean, ignored, integer, list } from '../../values/options';

export const DEFAULT_OPTIONS = {
  debug: boolean(false, 'Log at level `debug`. `LOG_LEVEL` beats it.'),
  log_options: boolean(true, 'Write all options, secrets masked, to the debug log at start.'),
  ...ignored('Logs are lines of JSON on standard error; redirect them where the service is started.', [
    'log_file',
    'logfile',
    'log_dir',
    'logdir',
    'log_config_append',
    'log_config',
    'log_date_format',
    'watch_log_file',
    'use_syslog',
    'syslog_log_facility',
    'use_journal',
    'use_eventlog',
    'use_json',
    'use_stderr',
    'log_color',
    'log_rotate_interval',
    'log_rotate_interval_type',
    'log_rotation_type',
    'max_logfile_count',
    'max_logfile_size_mb',
    'logging_context_format_string',
    'logging_default_format_string',
    'logging_debug_format_suffix',
    'logging_exception_prefix',
    'logging_user_identity_format',
    'default_log_levels',
    'publish_errors',
    'instance_format',
    'instance_uuid_format',
    'rate_limit_interval',
    'rate_limit_burst',
    'rate_limit_except_level',
    'fatal_deprecations',
    'verbose',
  ]),
  ...ignored('Berth needs no directory of its own.', ['tempdir', 'state_path', 'pybasedir', 'bindir']),
  ...ignored('Berth uses no message bus.', ['transport_url', 'rpc_response_timeout', 'control_exchange']),
  ...ignored('Services are watched by the reports of their hosts.', ['servicegroup_driver', 'service_down_grace']),
} as const;

export const OSLO_MIDDLEWARE_OPTIONS = {
  enable_proxy_headers_parsing: boolean(
    false,
    'Honour `Forwarded` and `X-Forwarded-*` of a proxy in front. Only where clients cannot reach the service directly.',
  ),
  ...ignored('See `[berth] max_body_bytes`.', ['max_request_body_size']),
  ...ignored('Not offered; see `[api] auth_strategy`.', ['http_basic_auth_user_file', 'secure_proxy_ssl_header']),
} as const;

export const CORS_OPTIONS = {
  allowed_origin: list([], 'Origins of browsers’ pages that may call, `*` for all. Empty: CORS is off.'),
  allow_credentials: boolean(true, 'Send `Access-Control-Allow-Credentials: true`.'),
  expose_headers: list(
    ['X-Auth-Token', 'X-Openstack-Request-Id', 'X-Subject-Token', 'X-Service-Token', 'OpenStack-API-Version'],
    'Response headers that a page may read.',
  ),
  max_age: integer(3_600, 'Seconds for which a browser may keep a preflight answer.', { min: 0 }),
  allow_methods: list(['GET', 'PUT', 'POST', 'DELETE', 'PATCH'], 'Methods that a page may use.'),
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

export const PROFILER_OPTIONS = {
  ...ignored('The reference’s tracing library has no counterpart here.', [
    'enabled',
    'trace_sqlalchemy',
    'trace_requests',
    'hmac_keys',
    'connection_string',
    'es_doc_type',
    'es_scroll_time',
    'es_scroll_size',
    'socket_timeout',
    'sentinel_service_name',
    'filter_error_trace',
  ]),
} as const;
