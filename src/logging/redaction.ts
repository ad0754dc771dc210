// Which fields of a log line are secrets. They are replaced at the top level and up to two levels below: deeper objects
// do not belong into a log.

const SECRET_FIELDS = [
  'x-auth-token',
  'x-service-token',
  'x-subject-token',
  'authorization',
  'cookie',
  'set-cookie',
  'password',
  'passwd',
  'secret',
  'token',
  'auth_token',
  'connection',
  'slave_connection',
  'DATABASE_URL',
  'BERTH_TEST_MYSQL_URL',
  'BERTH_TOKEN',
  'BERTH_TRANSFER_PASSWORD',
  'X-Auth-Token',
  'X-Service-Token',
  'X-Subject-Token',
  'Authorization',
] as const;

export const REDACTED = '***';

const path = (prefix: string, field: string): string => `${prefix}["${field}"]`;

/** Paths in the form that the logger's redaction takes. */
export const REDACTED_PATHS: readonly string[] = SECRET_FIELDS.flatMap((field) => [
  path('', field),
  path('*', field),
  path('*.*', field),
]);

/** A database address or any other URL in a sentence, without the password in it. */
export const maskUrlPasswords = (text: string): string =>
  text.replace(/([a-z][a-z0-9+.-]*:\/\/[^\s:@/]*):[^\s@]+@/gi, `$1:${REDACTED}@`);
