// Credentials: a fixed token, a name for a service without authentication, or a Keystone account.
import type { Fetch } from './exchange.ts';

/** Services that credentials can use while they obtain headers. */
export interface CredentialContext {
  readonly fetch: Fetch;
  readonly signal?: AbortSignal | undefined;
}

export interface Credentials {
  /** The authentication headers; throws LoginFailed. */
  headers(context: CredentialContext): Promise<Readonly<Record<string, string>>>;
  /** Called after a 401. Returns whether new headers are available; then the session sends the request once more. */
  renew(refused: Readonly<Record<string, string>>): boolean;
}

/** A fixed token. */
export function token(text: string): Credentials {
  return fixed({ 'x-auth-token': checkedToken(text) });
}

interface NoauthName {
  /** Default: the user name. */
  readonly project?: string;
  /** Default: `admin` for the user admin, otherwise none. */
  readonly roles?: readonly string[];
}

/** A user name, for a service without authentication (`auth_strategy = noauth2`). */
export function noauth(user: string, { project, roles }: NoauthName = {}): Credentials {
  return fixed({
    'x-auth-token': checkedToken(project === undefined ? user : `${user}:${project}`, 'user'),
    ...(roles !== undefined && { 'x-roles': roles.map((role) => checkedToken(role, 'roles')).join(',') }),
  });
}

const fixed = (headers: Readonly<Record<string, string>>): Credentials => ({
  headers: () => Promise.resolve(headers),
  renew: () => false,
});

/** The text goes into a header unchanged. Fetch also rejects invalid characters, but quotes the token in its error. */
export function checkedToken(text: string, name = 'token'): string {
  if (!/^[\x21-\x7e]+$/.test(text)) throw new TypeError(`${name}: must be printable ASCII without blanks`);
  return text;
}
