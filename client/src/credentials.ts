// Who asks: a token that is known, a name where nothing is checked, or an account of an Identity service.
import type { Fetch } from './exchange.ts';

/** What credentials may use while they are asked for. */
export interface CredentialContext {
  readonly fetch: Fetch;
  readonly signal?: AbortSignal | undefined;
}

export interface Credentials {
  /** The headers that say who asks; throws LoginFailed. */
  headers(context: CredentialContext): Promise<Readonly<Record<string, string>>>;
  /** The service refused these headers (401): whether there may be others. A request is sent once more, then. */
  renew(refused: Readonly<Record<string, string>>): boolean;
}

/** One token for ever. */
export function token(text: string): Credentials {
  return fixed({ 'x-auth-token': checkedToken(text) });
}

interface NoauthName {
  /** Default: the user's own name. */
  readonly project?: string;
  /** Default: `admin` for the user admin, none for anybody else. */
  readonly roles?: readonly string[];
}

/** A name, for a service that checks none (`auth_strategy = noauth2`). */
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

/** It goes into a header as it is. Fetch would refuse an odd one as well, and quote it in its error. */
export function checkedToken(text: string, name = 'token'): string {
  if (!/^[\x21-\x7e]+$/.test(text)) throw new TypeError(`${name}: must be printable ASCII without blanks`);
  return text;
}
