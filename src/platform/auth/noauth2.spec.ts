import { Noauth2Authenticator } from './noauth2';
import type { RequestHeaders } from './principal';

const ok = (userId: string, projectId: string | null, roles: readonly string[], systemScope: string | null = null) => ({
  authenticated: true,
  principal: { userId, projectId, roles, systemScope },
});

describe('noauth2', () => {
  it.each<readonly [string, RequestHeaders, unknown]>([
    ['the user admin is an administrator', { 'x-auth-token': 'admin' }, ok('admin', 'admin', ['admin'])],
    ['the project follows the colon', { 'x-auth-token': 'u:p' }, ok('u', 'p', ['member'])],
    ['the project keeps further colons', { 'x-auth-token': 'u:p:q' }, ok('u', 'p:q', ['member'])],
    ['an empty project is the user', { 'x-auth-token': 'u:' }, ok('u', 'u', ['member'])],
    ['admin in a project is an administrator', { 'x-auth-token': 'admin:p' }, ok('admin', 'p', ['admin'])],
    ['Admin is not', { 'x-auth-token': 'Admin' }, ok('Admin', 'Admin', ['member'])],
    ['listed roles count', { 'x-auth-token': 'u', 'x-roles': 'reader, Member,' }, ok('u', 'u', ['reader', 'Member'])],
    ['listed roles beat the name', { 'x-auth-token': 'admin', 'x-roles': 'reader' }, ok('admin', 'admin', ['reader'])],
    ['an empty list is none', { 'x-auth-token': 'admin', 'x-roles': '' }, ok('admin', 'admin', [])],
    [
      'a system scope has no project',
      { 'x-auth-token': 'admin', 'openstack-system-scope': 'all' },
      ok('admin', null, ['admin'], 'all'),
    ],
    ['an empty token is a nameless user', { 'x-auth-token': '' }, ok('', '', ['member'])],
    ['of a repeated header the first counts', { 'x-auth-token': ['a', 'b'] }, ok('a', 'a', ['member'])],
    [
      'a missing token is refused',
      { 'x-roles': 'admin' },
      { authenticated: false, message: 'Authentication required', hint: expect.stringContaining('X-Auth-Token') },
    ],
  ])('%s', (_law, headers, expected) => {
    expect(new Noauth2Authenticator().authenticate({ headers })).toEqual(expected);
  });
});
