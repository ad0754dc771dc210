// Response schemas of the console's own routes.
import { listOf, oneOf, orNull, TEXT, TIME } from '../platform/http/answer-schemas';
import { closed, named } from '../platform/microversion/versioned-schema';

export const CONSOLE_CONFIG = named(
  'ConsoleConfig',
  closed({
    version: TEXT,
    build: orNull(TEXT),
    api_prefix: TEXT,
    logins: listOf(oneOf('noauth', 'token', 'password')),
    default_domain: TEXT,
  }),
);

export const CONSOLE_SESSION = named(
  'ConsoleSession',
  closed({ user_id: TEXT, project_id: orNull(TEXT), roles: listOf(TEXT), may: listOf(TEXT) }),
);

export const CONSOLE_LOGIN = named(
  'ConsoleLogin',
  closed({ token: TEXT, expires_at: TIME, user: TEXT, project: TEXT, roles: listOf(TEXT) }),
);
