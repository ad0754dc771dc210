import { discardIdentityHeaders } from './identity-headers';

it.each([
  'x-roles',
  'x-role',
  'x-user',
  'x-user-id',
  'x-user-name',
  'x-user-domain-id',
  'x-project-id',
  'x-project-domain-name',
  'x-tenant',
  'x-tenant-id',
  'x-domain-id',
  'x-identity-status',
  'x-is-admin-project',
  'x-service-catalog',
  'x-service-roles',
  'x-service-user-id',
  'x-service-project-domain-name',
  'x-service-identity-status',
  'openstack-system-scope',
])('%s is taken off', (name) => {
  const headers = { [name]: 'admin' };
  discardIdentityHeaders(headers);
  expect(headers).toEqual({});
});

it('nothing else is', () => {
  const headers = {
    'x-auth-token': 't',
    'x-service-token': 's',
    'x-openstack-request-id': 'r',
    'x-forwarded-for': 'f',
    'openstack-api-version': 'placement 1.39',
    'user-agent': 'x-roles',
  };
  const before = { ...headers };
  discardIdentityHeaders(headers);
  expect(headers).toEqual(before);
});
