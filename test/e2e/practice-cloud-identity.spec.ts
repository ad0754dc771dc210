// The Identity API of the practice cloud: tokens for trusted callers and for static tokens, the catalogue,
// and lookups by name.
import { AccessTokens } from '../../src/platform/auth/static/access-tokens';
import { testDatabaseKinds } from '../support/databases';
import type { TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';

const ANONYMOUS = { 'x-auth-token': null, 'x-roles': null };
const as = (token: string): Readonly<Record<string, string | null>> => ({ 'x-auth-token': token, 'x-roles': null });

const credentials = (name: string, password: string, project?: string): object => ({
  auth: {
    identity: { methods: ['password'], password: { user: { name, domain: { id: 'default' }, password } } },
    ...(project !== undefined && { scope: { project: { name: project, domain: { id: 'default' } } } }),
  },
});

const comeIn = (service: TestService, body: object, path = '/identity/v3/auth/tokens'): Promise<TestResponse> =>
  service.request({ method: 'POST', path, headers: ANONYMOUS, version: null, body });

describe('with trusted callers', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService('sqlite');
  });
  afterAll(() => service.stop());

  it('issues a token for any user', async () => {
    const answer = await comeIn(service, credentials('admin', 'whatever', 'demo'));
    expect([answer.status, answer.headers['x-subject-token']]).toEqual([201, 'admin:demo']);
    expect(answer.json.token).toMatchObject({
      methods: ['password'],
      user: { id: 'admin', name: 'admin', domain: { id: 'default', name: 'Default' } },
      project: { id: 'demo', name: 'demo' },
      roles: [{ id: 'admin', name: 'admin' }],
    });
    const lifetimeMs = Date.parse(answer.json.token.expires_at) - Date.parse(answer.json.token.issued_at);
    expect(lifetimeMs).toBe(24 * 3_600_000);
  });

  it('makes a user other than admin a member', async () => {
    const { roles } = (await comeIn(service, credentials('anna', '', 'demo'))).json.token;
    expect(roles).toEqual([{ id: 'member', name: 'member' }]);
  });

  it('uses the user as the project if there is none', async () => {
    const answer = await comeIn(service, credentials('anna', ''));
    expect([answer.headers['x-subject-token'], answer.json.token.project.name]).toEqual(['anna:anna', 'anna']);
  });

  it('exchanges a token for one of another project', async () => {
    const body = {
      auth: {
        identity: { methods: ['token'], token: { id: 'anna:demo' } },
        scope: { project: { id: 'other' } },
      },
    };
    const answer = await comeIn(service, body);
    expect([answer.status, answer.headers['x-subject-token']]).toEqual([201, 'anna:other']);
  });

  it('lists the address of each service in the catalogue, as the client sees it', async () => {
    const { json } = await service.request({
      path: '/identity/v3/auth/catalog',
      headers: { ...as('anna'), host: 'cloud.example:81' },
    });
    const urls = (
      json.catalog as { type: string; name: string; endpoints: { interface: string; url: string }[] }[]
    ).map(({ type, name, endpoints }) => [type, name, endpoints.find((each) => each.interface === 'public')?.url]);
    expect(urls).toEqual([
      ['placement', 'placement', 'http://cloud.example:81/'],
      ['compute', 'nova', 'http://cloud.example:81/compute/v2.1'],
      ['image', 'glance', 'http://cloud.example:81/image'],
      ['network', 'neutron', 'http://cloud.example:81/network'],
      ['identity', 'keystone', 'http://cloud.example:81/identity'],
    ]);
  });

  it.each(['roles', 'role_assignments', 'services', 'endpoints', 'regions', 'groups'])('lists no %s', async (name) => {
    const { json } = await service.request({ path: `/identity/v3/${name}`, headers: as('anna') });
    expect(json).toEqual({ [name]: [] });
  });

  it('has one network and one security group, and no zones of networks', async () => {
    const ask = (path: string): Promise<TestResponse> =>
      service.request({ path: `/network${path}`, headers: as('anna') });
    const { networks } = (await ask('/v2.0/networks')).json;
    expect((await ask('')).json.versions).toMatchObject([{ id: 'v2.0', status: 'CURRENT' }]);
    expect(networks).toMatchObject([{ name: 'practice' }]);
    expect((await ask(`/v2.0/networks/${networks[0].id}`)).json).toEqual({ network: networks[0] });
    expect((await ask('/v2.0/security-groups')).json.security_groups).toMatchObject([{ name: 'default' }]);
    expect((await ask('/v2.0/security-groups?name=default&fields=id')).json.security_groups).toHaveLength(1);
    expect((await ask('/v2.0/security-groups?name=other')).json.security_groups).toEqual([]);
    expect((await ask('/v2.0/networks?name=other')).json.networks).toEqual([]);
    expect((await ask('/v2.0/networks?shared=True&router:external=False')).json.networks).toHaveLength(1);
    expect((await ask('/v2.0/networks?surprise=1')).status).toBe(400);
    expect((await ask('/v2.0/quotas/anna')).json.quota).toMatchObject({ network: -1 });
    for (const name of ['availability_zones', 'extensions', 'subnets', 'ports', 'routers', 'floatingips'])
      expect((await ask(`/v2.0/${name}`)).json).toEqual({ [name]: [] });
    const missing = await ask('/v2.0/networks/none');
    expect(missing).toMatchObject({ status: 404, json: { NeutronError: { type: 'NotFound' } } });
  });

  it('omits the catalogue on request', async () => {
    const path = '/identity/v3/auth/tokens?nocatalog';
    expect((await comeIn(service, credentials('anna', ''), path)).json.token).not.toHaveProperty('catalog');
  });

  it.each([
    ['a body that is none', '[]', 400, 'the document is not of type object.'],
    ['no JSON', '{', 400, 'Malformed JSON'],
  ])('validates %s', async (_what, body, status, message) => {
    const headers = { ...ANONYMOUS, 'content-type': 'application/json' };
    const answer = await service.request({ method: 'POST', path: '/identity/v3/auth/tokens', headers, body });
    expect([answer.status, answer.json.error?.message ?? '']).toEqual([
      status,
      expect.stringContaining(message) as string,
    ]);
  });

  it('shows a token to its owner and to administrators', async () => {
    const look = (caller: string, subject: string | null, method: 'GET' | 'HEAD' | 'DELETE' = 'GET') =>
      service.request({
        method,
        path: '/identity/v3/auth/tokens',
        headers: { ...as(caller), 'x-subject-token': subject },
      });
    const own = await look('anna:demo', 'anna:other');
    expect([own.status, own.headers['x-subject-token'], own.json.token.project.id]).toEqual([
      200,
      'anna:other',
      'other',
    ]);
    expect((await look('admin', 'anna:demo')).status).toBe(200);
    expect((await look('admin', 'anna:demo', 'HEAD')).status).toBe(200);
    expect((await look('admin', 'anna:demo', 'DELETE')).status).toBe(204);
    expect((await look('otto', 'anna:demo')).json.error.code).toBe(404);
    expect((await look('otto', null)).json.error.code).toBe(404);
  });

  it('accepts names as ids, and lists only own and requested entries', async () => {
    const get = async (path: string) =>
      (await service.request({ path: `/identity/v3${path}`, headers: as('anna:p') })).json;
    expect((await get('/projects/demo')).project).toMatchObject({ id: 'demo', name: 'demo', domain_id: 'default' });
    expect((await get('/projects')).projects).toMatchObject([{ id: 'p' }]);
    expect((await get('/auth/projects')).projects).toMatchObject([{ id: 'p' }]);
    expect((await get('/projects?name=demo')).projects).toMatchObject([{ id: 'demo' }]);
    expect((await get('/projects?name=demo&domain_id=other')).projects).toEqual([]);
    expect((await get('/projects?name=demo&enabled=True')).projects).toHaveLength(1);
    expect((await get('/domains?name=other')).domains).toEqual([]);
    expect((await get('/users?surprise=1')).error).toMatchObject({ code: 400 });
    expect((await get('/users/otto')).user).toMatchObject({ id: 'otto', enabled: true });
    expect((await get('/users?name=otto')).users).toMatchObject([{ id: 'otto' }]);
    expect((await get('/users/anna/projects')).projects).toMatchObject([{ id: 'p' }]);
    expect((await get('/domains')).domains).toMatchObject([{ id: 'default', name: 'Default' }]);
    expect((await get('/domains/default')).domain).toMatchObject({ id: 'default' });
    expect((await get('/domains/other')).error).toMatchObject({ code: 404, message: 'Could not find domain: other.' });
    expect((await get(`/users/${'x'.repeat(256)}`)).error).toMatchObject({ code: 404 });
  });
});

describe.each(testDatabaseKinds())('with static tokens, on %s', (kind) => {
  let service: TestService;
  let token = '';
  beforeAll(async () => {
    service = await startTestService(kind, {
      env: { BERTH_API__AUTH_STRATEGY: 'static', BERTH_PRACTICE_CLOUD__ENABLED: 'true' },
    });
    token = await new AccessTokens(service.database).create(
      { name: 'laptop', userId: 'anna', projectId: 'demo', systemScope: null, roles: ['member'], expiresAtMs: null },
      Date.now(),
    );
  });
  afterAll(() => service.stop());

  it.each([
    ['the name of the token', 'laptop'],
    ['the user whom it speaks for', 'anna'],
  ])('returns a static token for %s', async (_what, user) => {
    const answer = await comeIn(service, credentials(user, token, 'demo'));
    expect([answer.status, answer.headers['x-subject-token']]).toEqual([201, token]);
    expect(answer.json.token).toMatchObject({
      user: { id: 'anna' },
      project: { id: 'demo' },
      roles: [{ name: 'member' }],
    });
  });

  it.each([
    ['another name', () => credentials('otto', token)],
    ['another password', () => credentials('anna', `${token}x`)],
    ['another project', () => credentials('anna', token, 'other')],
    ['no token', () => credentials('admin', 'admin', 'admin')],
  ])('refuses %s', async (_what, body) => {
    const answer = await comeIn(service, body());
    expect([answer.status, answer.headers['x-subject-token'], answer.json.error.code]).toEqual([401, undefined, 401]);
  });

  it('shows and renews it, and revokes it permanently', async () => {
    const headers = { ...as(token), 'x-subject-token': token };
    expect((await service.request({ path: '/identity/v3/auth/tokens', headers })).status).toBe(200);
    const again = await comeIn(service, { auth: { identity: { methods: ['token'], token: { id: token } } } });
    expect([again.status, again.headers['x-subject-token']]).toEqual([201, token]);
    const gone = await service.request({ method: 'DELETE', path: '/identity/v3/auth/tokens', headers });
    expect(gone.status).toBe(204);
    const [stored] = await new AccessTokens(service.database).list();
    expect(stored?.revokedAtMs).not.toBeNull();
  });
});

it("does not implement Keystone's other routes", async () => {
  const service = await startTestService('sqlite', {
    env: {
      BERTH_API__AUTH_STRATEGY: 'keystone',
      BERTH_PRACTICE_CLOUD__ENABLED: 'true',
      BERTH_KEYSTONE_AUTHTOKEN__AUTH_URL: 'http://127.0.0.1:1/identity',
      BERTH_KEYSTONE_AUTHTOKEN__USERNAME: 'berth',
      BERTH_KEYSTONE_AUTHTOKEN__PASSWORD: 'secret',
      BERTH_KEYSTONE_AUTHTOKEN__PROJECT_NAME: 'service',
      BERTH_KEYSTONE_AUTHTOKEN__USER_DOMAIN_NAME: 'Default',
      BERTH_KEYSTONE_AUTHTOKEN__PROJECT_DOMAIN_NAME: 'Default',
    },
  });
  const compute = await service.request({ path: '/compute', headers: ANONYMOUS });
  const identity = await service.request({ path: '/identity/v3', headers: ANONYMOUS });
  await service.stop();
  expect([compute.status, identity.status]).toEqual([200, 401]);
});
