// Options of the placement side with Placement's names, and Berth's own group. Values only; the code that reads an
// option implements it.

import { boolean, choice, integer, list, multi, number, text } from '../../values/options';
import { CHANGE_LOG_LIMITS, DATABASE_LIMITS } from '../limits/database';
import { HTTP_LIMITS } from '../limits/http';
import { SHARE_LIMITS } from '../limits/placement';
import { PROCESS_LIMITS, TRACING_LIMITS } from '../limits/processes';

export const API_OPTIONS = {
  auth_strategy: choice(
    ['noauth2', 'keystone', 'static'],
    'noauth2',
    'Who is calling. `noauth2` accepts every token (development and tests): refused beyond loopback unless ' +
      '`BERTH_ALLOW_NOAUTH=1`. `keystone` asks the Identity service, see `[keystone_authtoken]`. `static` takes the ' +
      'tokens that `berth token` makes.',
    { synonyms: { noauth: 'noauth2' } },
  ),
} as const;

/** The part of `[placement]` that the database layer reads. */
export const WRITE_OPTIONS = {
  allocation_conflict_retry_count: integer(
    DATABASE_LIMITS.transactionAttempts,
    'Attempts of one write that loses against others (deadlocks, lock waits, certification).',
    { min: 1, max: 100 },
  ),
} as const;

export const PLACEMENT_DATABASE_OPTIONS = {
  connection: text(
    null,
    'Database address: `sqlite:///relative.db`, `sqlite:////absolute.db` or `mysql://user:password@host:3306/name` ' +
      '(or `mysql+pymysql://`). List several hosts in order of preference, separated by commas. `DATABASE_URL` ' +
      'takes precedence. Unset: `sqlite:///berth.db`.',
    { secret: true },
  ),
  max_pool_size: integer(5, 'Connections kept by one process; 0: the largest allowed number.', {
    min: 0,
    max: DATABASE_LIMITS.poolConnectionsMax,
  }),
  max_overflow: integer(10, 'Connections opened beyond `max_pool_size` under load; -1: the largest allowed number.', {
    min: 0,
    max: DATABASE_LIMITS.poolConnectionsMax,
    synonyms: { '-1': String(DATABASE_LIMITS.poolConnectionsMax) },
  }),
  pool_timeout: integer(30, 'Seconds a request waits for a connection before it is answered 503.', {
    min: 1,
    max: 600,
  }),
  max_retries: integer(10, 'Attempts to reach the database at start; -1: for ever.', { min: -1, max: 10_000 }),
  retry_interval: integer(10, 'Seconds between those attempts.', { min: 0, max: 600 }),
} as const;

export const BERTH_OPTIONS = {
  url_prefix: text('', 'Mount point of the API, e.g. `/placement`; operations and console stay outside of it.', {
    pattern: /^(?:\/[A-Za-z0-9._~-]+)*$/,
    patternMeaning: 'empty, or path segments that start with a slash, without a slash at the end',
  }),
  allowed_hosts: list(
    [],
    'Names by which clients reach a `noauth2` service on loopback, in addition to the loopback names; `*`: the ' +
      'service checks neither hosts nor origins.',
  ),
  tls_cert: text(
    null,
    'PEM file with the TLS certificate of the service, followed by the intermediate certificates. Unset: plain HTTP, ' +
      'for loopback or behind a proxy. SIGHUP makes the service read the files again.',
  ),
  tls_key: text(null, 'Key of that certificate, PEM, without a passphrase. Unset: in the file of `tls_cert`.'),
  tls_client_ca: text(
    null,
    'PEM file with authorities. Every client, probes included, must present a certificate of one of them. Unset: ' +
      'clients need no certificate.',
  ),
  auto_migrate: boolean(true, 'Bring the database’s schema up to date when the service starts.'),
  sqlite_synchronous: choice(
    ['full', 'normal'],
    'full',
    'Durability of SQLite: `full` survives a power cut, `normal` can lose the last writes.',
  ),
  change_log_retention_seconds: integer(
    CHANGE_LOG_LIMITS.retentionSeconds,
    'How long changes are kept for other processes. A write lives at most a tenth of it.',
    { min: CHANGE_LOG_LIMITS.retentionSecondsMin, max: CHANGE_LOG_LIMITS.retentionSecondsMax },
  ),
  max_body_bytes: integer(
    HTTP_LIMITS.bodyBytes,
    'Largest body of a request; larger ones are answered 413. Data of images, and documents of ' +
      '`POST /scheduler/simulate`, have limits of their own. Above the default, parsing one body can delay all other ' +
      'requests by more than 50 ms.',
    { min: HTTP_LIMITS.bodyBytesMin, max: HTTP_LIMITS.bodyBytesMax },
  ),
  write_queue_limit: integer(
    DATABASE_LIMITS.writeQueue,
    'Writes that can wait in one process; further writes are answered 503.',
    { min: 1, max: 100_000 },
  ),
  share_queue_limit: integer(
    SHARE_LIMITS.waitingOfClient,
    'Searches, decisions, explanations and simulations of one user that can wait in one process for those of others; ' +
      'further requests are answered 429.',
    { min: 1, max: SHARE_LIMITS.waiting },
  ),
  slow_request_seconds: number(
    0,
    'Requests that take at least this long are logged at WARN with the times of their stages and statements; 0: off. ' +
      'Recording the times costs a small request 50 µs of CPU, about a quarter of its total.',
    { min: 0, max: TRACING_LIMITS.slowSecondsMax },
  ),
  shutdown_grace_seconds: integer(
    PROCESS_LIMITS.shutdownGraceSeconds,
    'Time in which running requests can finish after a stop signal.',
    { min: 0, max: 3_600 },
  ),
  shutdown_drain_seconds: integer(
    0,
    'Time after a stop signal in which the service still serves requests, but `/readyz` answers 503 and every ' +
      'response closes its connection. Load balancers then use other processes before the service refuses a request.',
    { min: 0, max: 3_600 },
  ),
} as const;

export const OSLO_POLICY_OPTIONS = {
  enforce_new_defaults: boolean(
    true,
    'Only the present default rules hold. False: an administrator passes every rule of the defaults as before.',
  ),
  enforce_scope: boolean(true, 'A token of a scope that a rule does not name is refused.'),
  policy_file: text('policy.yaml', 'File with rules that replace the defaults; it need not exist.'),
  policy_dirs: multi(['policy.d'], 'Directories whose files are read after `policy_file`, in the order of names.'),
} as const;
