// The console's first request: how users log in, and who is logged in. Password login exists only if a service
// validates passwords.
import { POLICY_RULES } from '../../src/platform/auth/policy-rules';
import { AccessTokens } from '../../src/platform/auth/static/access-tokens';
import { VERSION } from '../../src/platform/version';
import type { TestService, TestServiceOptions } from '../support/service';
import { startTestService } from '../support/service';

const ANONYMOUS = { 'x-auth-token': null, 'x-roles': null };
const KEYSTONE = {
  api: { auth_strategy: 'keystone' },
  keystone_authtoken: {
    auth_url: 'http://127.0.0.1:1/identity',
    username: 'berth',
    password: 'secret',
    project_name: 'service',
    default_domain_name: 'Operators',
  },
} as const;

async function configOf(options: TestServiceOptions): Promise<unknown> {
  const service = await startTestService('sqlite', options);
  const { status, headers, json } = await service.request({ path: '/console/config.json', headers: ANONYMOUS });
  await service.stop();
  expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
  return json;
}

it.each<readonly [string, TestServiceOptions, object]>([
  ['callers are believed', {}, { api_prefix: '', logins: ['noauth'], default_domain: 'Default' }],
  [
    'callers have tokens',
    { overrides: { api: { auth_strategy: 'static' }, berth: { url_prefix: '/placement' } } },
    { api_prefix: '/placement', logins: ['token'], default_domain: 'Default' },
  ],
  [
    'Keystone knows the callers',
    { overrides: KEYSTONE },
    { api_prefix: '', logins: ['password', 'token'], default_domain: 'Operators' },
  ],
])('shows an anonymous client how users log in if %s', async (_where, options, expected) => {
  expect(await configOf(options)).toEqual({ version: VERSION, build: expect.any(String) as string, ...expected });
});

describe('for a trusted caller', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService('sqlite');
  });
  afterAll(() => service.stop());
  const session = async (headers: Readonly<Record<string, string | null>>): Promise<any> => {
    const { status, json, headers: answered } = await service.request({ path: '/console/session', headers });
    expect([status, answered['cache-control']]).toEqual([200, 'no-store']);
    return json;
  };
  const ALL = POLICY_RULES.map(({ name }) => name);

  it('lists all rights of an administrator', async () => {
    const { may, ...who } = await session({ 'x-auth-token': 'admin:demo', 'x-roles': 'admin,service' });
    expect(who).toEqual({ user_id: 'admin', project_id: 'demo', roles: ['admin', 'service'] });
    expect([...may].sort()).toEqual([...ALL].sort());
  });

  it('omits the rights that an administrator lacks', async () => {
    const { may } = await session({ 'x-auth-token': 'admin:demo', 'x-roles': null });
    expect(ALL.filter((name) => !may.includes(name))).toEqual(['placement:reshaper:reshape']);
  });

  it('lists only the rights of a reader in its own project', async () => {
    const { may } = await session({ 'x-auth-token': 'rita:demo', 'x-roles': 'reader' });
    expect(may).toContain('placement:usages');
    expect(may).toContain('berth:console:session');
    expect(may).not.toContain('placement:traits:list');
    expect(may).not.toContain('berth:scheduler:flavors:create');
  });

  it('omits the rights on projects for a system-scoped caller', async () => {
    const headers = { 'x-auth-token': 'alan', 'x-roles': 'admin', 'openstack-system-scope': 'all' };
    const { may, ...who } = await session(headers);
    expect(who).toEqual({ user_id: 'alan', project_id: null, roles: ['admin'] });
    expect(may).not.toContain('placement:traits:list');
  });

  it.each(['/console/session', '/console/%73ession', '/console/session?x=1', '/console%2fsession'])(
    'is not served to anonymous clients at %s',
    async (path) => {
      const { statusCode, body } = await service.app.inject({ method: 'GET', url: path });
      expect([statusCode, body]).toEqual([401, expect.stringContaining('Authentication required')]);
    },
  );

  it('follows the policy switches', async () => {
    const strict = await startTestService('sqlite', { overrides: { oslo_policy: { enforce_scope: false } } });
    const headers = { 'x-auth-token': 'alan', 'x-roles': 'admin', 'openstack-system-scope': 'all' };
    const { json } = await strict.request({ path: '/console/session', headers });
    await strict.stop();
    expect(json.may).toContain('placement:traits:list');
  });

  it('has no password login', async () => {
    const body = { username: 'a', password: 'b', project: 'c' };
    const { status, json } = await service.request({
      method: 'POST',
      path: '/console/login',
      headers: ANONYMOUS,
      body,
    });
    expect([status, json.errors[0].code]).toEqual([404, 'scheduler.not_found']);
    expect(json.errors[0].detail).toContain('auth_strategy');
  });
});

it('identifies the holder of a token only', async () => {
  const service = await startTestService('sqlite', { overrides: { api: { auth_strategy: 'static' } } });
  const token = await new AccessTokens(service.database).create(
    {
      name: 'console',
      userId: 'olga',
      projectId: 'operations',
      roles: ['admin'],
      systemScope: null,
      expiresAtMs: null,
    },
    Date.now(),
  );
  const ask = (value: string | null) =>
    service.request({ path: '/console/session', headers: { 'x-roles': null, 'x-auth-token': value } });
  const known = await ask(token);
  const statuses = [(await ask(null)).status, (await ask('olga')).status];
  await service.stop();
  expect(known.json).toMatchObject({ user_id: 'olga', project_id: 'operations', roles: ['admin'] });
  expect(statuses).toEqual([401, 401]);
});
