// Names of secret fields in log lines. They are redacted at the top level and up to two levels below; deeper objects
// must not be logged.

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

/** Paths for pino's redaction. */
export const REDACTED_PATHS: readonly string[] = SECRET_FIELDS.flatMap((field) => [
  path('', field),
  path('*', field),
  path('*.*', field),
]);

/** The forms of Berth's own tokens and of Keystone's. */
const TOKEN = /(berth_|gAAAA)[A-Za-z0-9_-]{16,}/g;
const SECRET_PARAMETER = /([?&](?:[a-z]+[_-])*(?:token|password|passwd|secret)=)[^&\s"\\]+/gi;

/** Masks tokens in an address, or in JSON that contains one. */
export const maskTokens = (text: string): string =>
  text.replace(SECRET_PARAMETER, `$1${REDACTED}`).replace(TOKEN, `$1${REDACTED}`);

/** Masks tokens, and the password of any URL, in a sentence: for example of a database address. */
export const maskSecrets = (text: string): string =>
  maskTokens(text).replace(/([a-z][a-z0-9+.-]*:\/\/[^\s:@/]*):[^\s@]+@/gi, `$1:${REDACTED}@`);
