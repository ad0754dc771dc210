// The strategy `noauth2`: trusts the caller's headers. For development and tests. Pure: headers in, caller out.

import type { Authentication, AuthenticationRequest, Principal, RequestHeaders } from './principal';
import { Authenticator } from './principal';

/** Of a repeated header only the first value counts. */
const headerOf = (headers: RequestHeaders, name: string): string | undefined => {
  const value = headers[name];
  return typeof value === 'string' || value === undefined ? value : value[0];
};

const rolesOf = (headers: RequestHeaders, userId: string): readonly string[] => {
  const listed = headerOf(headers, 'x-roles');
  if (listed === undefined) return [userId === 'admin' ? 'admin' : 'member'];
  return listed
    .split(',')
    .map((role) => role.trim())
    .filter((role) => role !== '');
};

const MISSING: Authentication = {
  authenticated: false,
  message: 'Authentication required',
  hint: 'Send the header X-Auth-Token with the name of a user, or <user>:<project> (auth_strategy noauth2).',
};

export class Noauth2Authenticator extends Authenticator {
  /**
   * The token is `<user>[:<project>]`; the project defaults to the user. `X-Roles` lists the roles; by default the user
   * `admin` has the role `admin`, other users `member`. With `OpenStack-System-Scope` there is no project. An empty
   * token is a user with an empty id; only a missing token is refused.
   */
  authenticate({ headers }: Pick<AuthenticationRequest, 'headers'>): Authentication {
    const token = headerOf(headers, 'x-auth-token');
    if (token === undefined) return MISSING;
    const colon = token.indexOf(':');
    const userId = colon < 0 ? token : token.slice(0, colon);
    const namedProject = colon < 0 ? '' : token.slice(colon + 1);
    const systemScope = headerOf(headers, 'openstack-system-scope');
    const principal: Principal = {
      userId,
      projectId: systemScope === undefined ? namedProject || userId : null,
      roles: rolesOf(headers, userId),
      systemScope: systemScope?.trim() || null,
    };
    return { authenticated: true, principal };
  }
}
