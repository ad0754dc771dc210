// The strategy `keystone` with a well-behaved fake Identity service: which callers are accepted, with which identity,
// and what is requested.
import type { TokenFacts } from '../support/identity-double';
import { IdentityDouble } from '../support/identity-double';
import type { TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';

const CHALLENGE = 'Keystone uri="https://identity.example.com"';

let identity: IdentityDouble;
let service: TestService;
let lines: string;

const open = (options: object = {}, berth: object = {}): Promise<TestService> =>
  startTestService('sqlite', {
    overrides: {
      api: { auth_strategy: 'keystone' },
      berth,
      keystone_authtoken: {
        auth_url: identity.url,
        www_authenticate_uri: 'https://identity.example.com/',
        username: 'placement',
        user_domain_name: 'Default',
        password: identity.password,
        project_name: 'service',
        project_domain_name: 'Default',
        ...options,
      },
    },
    log: (line) => (lines += line),
  });

beforeEach(async () => {
  identity = await IdentityDouble.start();
  lines = '';
});
afterEach(async () => {
  await service.stop();
  await identity.stop();
});

const ask = (
  token: string | null,
  path = '/traits',
  headers: Readonly<Record<string, string | null>> = {},
  method: 'GET' | 'PUT' = 'GET',
): Promise<TestResponse> =>
  service.request({ path, method, headers: { 'x-roles': null, 'x-auth-token': token, ...headers } });
const statusOf = async (facts: TokenFacts, path?: string): Promise<number> =>
  (await ask(identity.give(`token-${Math.random()}`, facts), path)).status;

describe('callers', () => {
  beforeEach(async () => {
    service = await open();
  });

  it.each<readonly [string, TokenFacts, number, number]>([
    ['an administrator', { roles: ['admin'] }, 200, 200],
    ['a service', { roles: ['service'] }, 200, 200],
    ['a reader of the project', { roles: ['reader'] }, 403, 200],
    ['a reader of another project', { roles: ['reader'], project: 'p2' }, 403, 403],
    ['a member', { roles: ['member'] }, 403, 403],
    ['an administrator of the system', { isSystem: true, roles: ['admin'] }, 403, 403],
    ['an administrator of a domain', { domain: 'default', roles: ['admin'] }, 403, 403],
    ['a user without a scope', { project: null }, 403, 403],
    ['a user without a scope, with roles', { project: null, further: { roles: [{ name: 'admin' }] } }, 403, 403],
  ])('%s', async (_who, facts, ofTraits, ofUsages) => {
    expect(await statusOf(facts)).toBe(ofTraits);
    expect(await statusOf(facts, '/usages?project_id=p1')).toBe(ofUsages);
  });

  it.each<readonly [string, string | null]>([
    ['no token', null],
    ['an empty token', ''],
    ['an unknown token', 'unknown'],
    ['a token with a blank', 'a b'],
    ['two tokens in one', 'a,b'],
    ['a token that is too long', 'x'.repeat(7_000)],
    ['a token of other letters', 'tökén'],
  ])('are refused with %s, in the form that clients of the Identity service expect', async (_what, token) => {
    const answer = await ask(token);
    expect(answer.status).toBe(401);
    expect(answer.headers['www-authenticate']).toBe(CHALLENGE);
    expect(answer.json).toEqual({
      error: { code: 401, title: 'Unauthorized', message: 'The request you have made requires authentication.' },
      hint: 'Send the header X-Auth-Token with a token of the Identity service (auth_strategy keystone).',
    });
  });

  it('are refused in JSON, whatever they accept', async () => {
    const answer = await ask(null, '/traits', { accept: 'text/html' });
    expect([answer.status, answer.headers['content-type']]).toEqual([401, 'application/json']);
    expect(answer.json).toHaveProperty('error.code', 401);
  });

  it('need no token for the root and the probes', async () => {
    expect([(await ask(null, '/')).status, (await ask(null, '/healthz')).status]).toEqual([200, 200]);
    expect((await ask(null, '/readyz')).json).toMatchObject({ status: 'ready', identity: { works: true } });
  });

  it('cannot set their identity by headers', async () => {
    const reported = {
      'x-roles': 'admin',
      'x-identity-status': 'Confirmed',
      'x-user-id': 'admin',
      'x-project-id': 'p1',
      'openstack-system-scope': 'all',
      'x-service-roles': 'service',
    };
    expect((await ask(null, '/traits', reported)).status).toBe(401);
    expect((await ask(identity.give('member', { roles: ['member'] }), '/traits', reported)).status).toBe(403);
    expect((await ask(identity.give('reader', { roles: ['reader'] }), '/usages?project_id=p1', reported)).status).toBe(
      200,
    );
  });

  it('are validated with the parameters that the Identity service requires', async () => {
    await ask(identity.give('known'));
    const asked = identity.asked.find(({ headers }) => headers['x-subject-token'] === 'known');
    expect(asked?.url).toBe('/identity/v3/auth/tokens?nocatalog');
    expect(asked?.headers['openstack-identity-access-rules']).toBe('1.0');
    expect(asked?.headers['x-auth-token']).toMatch(/^own-/);
  });

  it('are named in the log, but not their tokens', async () => {
    identity.give('T0KEN-of-alice', { user: 'alice' });
    await ask('T0KEN-of-alice');
    await ask('T0KEN-of-nobody', '/traits', { 'x-service-token': 'T0KEN-of-no-service' });
    await ask('T0KEN with a blank');
    identity.behave((response) => response.destroy());
    await ask('T0KEN-while-down');
    await service.app.close();
    expect(lines).toContain('"user":"alice"');
    expect(lines).toContain('the Identity service is not available');
    expect(lines).not.toMatch(/T0KEN|own-|S3CRET/);
  });
});

describe('application credentials', () => {
  const credential = { accessRules: [{ service: 'placement', method: 'GET', path: '/resource_providers/*/traits' }] };
  const uuid = '7f1d5c6e-0000-4000-8000-000000000001';

  beforeEach(async () => {
    service = await open();
  });

  it.each([
    ['what their rules say', 'GET', `/resource_providers/${uuid}/traits`, 404],
    ['nothing else', 'GET', '/traits', 401],
    ['no other method', 'PUT', `/resource_providers/${uuid}/traits`, 401],
    ['no path that only looks like it', 'GET', `/resource_providers/${uuid}/%74raits`, 401],
    ['no path that is too long to compare', 'GET', `/resource_providers/${'x'.repeat(2_000)}/traits`, 401],
  ] as const)('can do %s', async (_what, method, path, expected) => {
    identity.give('restricted', credential);
    expect((await ask('restricted', path, {}, method)).status).toBe(expected);
  });

  it.each<readonly [string, NonNullable<TokenFacts['accessRules']>]>([
    ['no rules', []],
    ['rules for another service', [{ service: 'compute', method: 'GET', path: '/**' }]],
    ['more rules than are served', Array(1_001).fill({ service: 'placement', method: 'GET', path: '/**' })],
    ['longer paths than are served', [{ service: 'placement', method: 'GET', path: '*'.repeat(9_000) }]],
  ])('with %s can do nothing', async (_what, accessRules) => {
    identity.give('restricted', { accessRules });
    expect((await ask('restricted')).status).toBe(401);
    expect((await ask(identity.give('other'))).status).toBe(200);
  });
});

it('a prefix of the API can be in an access rule, or not', async () => {
  service = await open({}, { url_prefix: '/placement' });
  const rule = (path: string) => ({ accessRules: [{ service: 'placement', method: 'GET', path }] });
  identity.give('with', rule('/placement/traits'));
  identity.give('without', rule('/traits'));
  identity.give('neither', rule('/other/traits'));
  const statuses = [];
  for (const token of ['with', 'without', 'neither']) statuses.push((await ask(token, '/placement/traits')).status);
  expect(statuses).toEqual([200, 200, 401]);
});

it('the prefix of the API alone is the root document, which needs no token', async () => {
  service = await open({}, { url_prefix: '/placement' });
  const statuses = [];
  for (const path of ['/placement', '/placement/', '/placement/traits']) statuses.push((await ask(null, path)).status);
  expect(statuses).toEqual([200, 200, 401]);
});

describe('service tokens', () => {
  const expired = { expiresAt: Date.now() - 60_000 };
  const withService = (token: string) => ask('user', '/traits', { 'x-service-token': token });

  beforeEach(() => {
    identity.give('service', { roles: ['service'], user: 'nova' });
    identity.give('other', { roles: ['admin'], user: 'mallory' });
  });

  it('admit an expired user token repeatedly, and only together with it', async () => {
    service = await open();
    identity.give('user', expired);
    expect((await withService('service')).status).toBe(200);
    expect((await withService('service')).status).toBe(200);
    expect(identity.validations).toBe(2);
    expect((await ask('user')).status).toBe(401);
    expect((await withService('service')).status).toBe(200);
    expect((await withService('other')).status).toBe(401);
  });

  it('must be valid themselves', async () => {
    service = await open();
    identity.give('user');
    expect((await withService('unknown')).status).toBe(401);
    expect((await withService('')).status).toBe(401);
    expect((await withService('other')).status).toBe(200);
  });

  it('must have a role if one is required', async () => {
    service = await open({ service_token_roles_required: true });
    identity.give('user');
    expect((await withService('other')).status).toBe(401);
    expect((await withService('service')).status).toBe(200);
  });

  it('do not give their roles to the user', async () => {
    service = await open();
    identity.give('user', { roles: ['member'] });
    expect((await withService('service')).status).toBe(403);
  });

  it('let a service forward a bound token that was used elsewhere; other tokens do not', async () => {
    service = await open();
    identity.give('user', { accessRules: [{ service: 'compute', method: 'POST', path: '/servers' }] });
    expect((await withService('service')).status).toBe(200);
    expect((await withService('other')).status).toBe(401);
    expect((await ask('user')).status).toBe(401);
  });
});

describe('the token cache', () => {
  it('sends one request for many concurrent callers, and none for later ones', async () => {
    service = await open();
    identity.give('known');
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask('known')));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
    await ask('known');
    expect([identity.validations, identity.logins]).toEqual([1, 1]);
  });

  it('includes refusals', async () => {
    service = await open();
    await ask('unknown');
    await ask('unknown');
    expect(identity.validations).toBe(1);
  });

  it('expires with the token', async () => {
    const clock = jest.spyOn(Date, 'now');
    try {
      service = await open();
      const expiresAt = Date.now() + 600_000;
      identity.give('short', { expiresAt });
      expect((await ask('short')).status).toBe(200);
      clock.mockReturnValue(expiresAt);
      expect((await ask('short')).status).toBe(401);
    } finally {
      clock.mockRestore();
    }
  });

  it('can be disabled', async () => {
    service = await open({ token_cache_time: -1 });
    identity.give('known');
    await ask('known');
    identity.revoke('known');
    expect((await ask('known')).status).toBe(401);
    identity.give('known');
    expect((await ask('known')).status).toBe(200);
  });
});

describe("Berth's own token", () => {
  it('is renewed when the Identity service no longer accepts it', async () => {
    service = await open();
    expect((await ask(identity.give('one'))).status).toBe(200);
    identity.forgetOwn();
    expect((await ask(identity.give('two'))).status).toBe(200);
    expect(identity.logins).toBe(2);
  });

  it('is renewed before it expires, in parallel with validations', async () => {
    identity.ownLifeMs = 1;
    service = await open();
    expect((await ask(identity.give('one'))).status).toBe(200);
    await new Promise((resume) => setTimeout(resume, 5));
    expect((await ask(identity.give('two'))).status).toBe(200);
    expect(identity.logins).toBeGreaterThan(1);
  });
});
