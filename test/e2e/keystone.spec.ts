// The strategy `keystone`, and logins at the console, with a real Keystone if it is installed. Failures are tested with the
// fake, which fails on demand.
import { LOGIN_LIMITS } from '../../src/platform/config/limits/auth';
import { hasKeystone, Keystone } from '../support/keystone';
import type { TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';

const isRequired = process.env['BERTH_REQUIRE_KEYSTONE'] === '1';
const suite = hasKeystone() || isRequired ? describe : describe.skip;
const name = hasKeystone() ? 'with a real Keystone' : 'with a real Keystone, which is not installed (Debian: keystone)';

suite(name, () => {
  let keystone: Keystone;
  let service: TestService;
  let lines = '';
  let demo: string;
  const users: Record<string, string> = {};
  const seen: string[] = [];

  const open = (options: object = {}): Promise<TestService> =>
    startTestService('sqlite', {
      overrides: {
        api: { auth_strategy: 'keystone' },
        keystone_authtoken: {
          auth_url: keystone.url,
          username: 'placement',
          user_domain_id: 'default',
          password: 'placement',
          project_name: 'service',
          project_domain_id: 'default',
          ...options,
        },
      },
      log: (line) => (lines += line),
    });

  const ask = (token: string, path: string, headers: Readonly<Record<string, string>> = {}): Promise<TestResponse> => {
    seen.push(token);
    return service.request({ path, headers: { 'x-roles': null, 'x-auth-token': token, ...headers } });
  };
  const statuses = async (token: string, headers?: Readonly<Record<string, string>>): Promise<readonly number[]> => {
    const paths = ['/traits', `/usages?project_id=${demo}`, '/usages?project_id=another'];
    const answers = [];
    for (const path of paths) answers.push((await ask(token, path, headers)).status);
    return answers;
  };

  beforeAll(async () => {
    keystone = await Keystone.start();
    demo = await keystone.project('demo');
    const serviceProject = await keystone.project('service');
    for (const [name, role, project] of [
      ['reader', 'reader', demo],
      ['member', 'member', demo],
      ['administrator', 'admin', demo],
      ['nova', 'service', serviceProject],
      ['placement', 'service', serviceProject],
      ['placement', 'admin', serviceProject],
    ] as const) {
      users[name] ??= await keystone.user(name);
      const id = await keystone.role(role);
      await keystone.call('PUT', `/v3/projects/${project}/users/${users[name]}/roles/${id}`);
    }
    for (const [name, role] of [
      ['system-admin', 'admin'],
      ['system-reader', 'reader'],
    ] as const) {
      users[name] = await keystone.user(name);
      await keystone.call('PUT', `/v3/system/users/${users[name]}/roles/${await keystone.role(role)}`);
    }
    service = await open();
  });
  afterAll(async () => {
    await service?.stop();
    await keystone?.stop();
  });

  it.each<readonly [string, string, readonly number[]]>([
    ['an administrator', 'administrator', [200, 200, 200]],
    ['a member', 'member', [403, 200, 403]],
    ['a reader', 'reader', [403, 200, 403]],
  ])('%s of the project has the rights in the policies', async (_who, name, expected) => {
    const { token } = await keystone.login(name, { project: 'demo' });
    expect(await statuses(token)).toEqual(expected);
  });

  it('a service has all rights', async () => {
    const { token } = await keystone.login('nova', { project: 'service' });
    expect(await statuses(token)).toEqual([200, 200, 200]);
  });

  it.each(['system-admin', 'system-reader'])('a token of %s matches no rule', async (name) => {
    const { token } = await keystone.login(name, { isSystem: true });
    const answers = await Promise.all(['/traits', '/usages?project_id=x'].map((path) => ask(token, path)));
    expect(answers.map(({ status }) => status)).toEqual([403, 403]);
    expect(answers[0]?.json.errors[0].detail).toContain('placement:traits:list');
  });

  it('a token without a scope has no roles', async () => {
    const { token } = await keystone.login('administrator', {});
    expect(await statuses(token)).toEqual([403, 403, 403]);
  });

  describe('application credentials', () => {
    const credential = async (name: string, rules?: readonly object[]): Promise<string> => {
      const { token } = await keystone.login('administrator', { project: 'demo' });
      const body = { application_credential: { name, ...(rules && { access_rules: rules }) } };
      const path = `/v3/users/${users['administrator']}/application_credentials`;
      const { document, status } = await keystone.send('POST', path, { 'x-auth-token': token }, body);
      if (status !== 201) throw new Error(JSON.stringify(document));
      const { id, secret } = document.application_credential;
      const identity = { methods: ['application_credential'], application_credential: { id, secret } };
      return (await keystone.authenticate({ identity })).token;
    };
    const rule = (path: string, service = 'placement', method = 'GET') => ({ path, service, method });

    it('without access rules have the rights of their user', async () => {
      expect(await statuses(await credential('free'))).toEqual([200, 200, 200]);
    });

    it('with access rules have the rights in one of them', async () => {
      expect(await statuses(await credential('traits', [rule('/traits')]))).toEqual([200, 401, 401]);
      expect(await statuses(await credential('wild', [rule('/x'), rule('/{any}')]))).toEqual([200, 200, 200]);
    });

    it('with access rules for another service or method have none', async () => {
      expect(await statuses(await credential('compute', [rule('/**', 'compute')]))).toEqual([401, 401, 401]);
      expect(await statuses(await credential('writes', [rule('/**', 'placement', 'PUT')]))).toEqual([401, 401, 401]);
    });
  });

  it('a revoked token is refused at the next validation', async () => {
    const { token } = await keystone.login('administrator', { project: 'demo' });
    await keystone.revoke(token);
    expect(await statuses(token)).toEqual([401, 401, 401]);
  });

  it('a revoked token is accepted no longer than the configured cache time', async () => {
    const { token } = await keystone.login('administrator', { project: 'demo' });
    const forgetful = await open({ token_cache_time: -1 });
    const again = () => forgetful.request({ path: '/traits', headers: { 'x-roles': null, 'x-auth-token': token } });
    expect((await again()).status).toBe(200);
    await keystone.revoke(token);
    expect((await again()).status).toBe(401);
    await forgetful.stop();
  });

  it('an expired token is refused, except with a service token for its user', async () => {
    const brief = await keystone.brief(1);
    const { token, document } = await brief.login('administrator', { project: 'demo' });
    await brief.end();
    const nova = await keystone.login('nova', { project: 'service' });
    const left = Date.parse(document.token['expires_at'] as string) - Date.now();
    await new Promise((resume) => setTimeout(resume, Math.max(left, 0) + 1_000));
    expect(await statuses(token)).toEqual([401, 401, 401]);
    expect(await statuses(token, { 'x-service-token': nova.token })).toEqual([200, 200, 200]);
    expect(await statuses(token)).toEqual([401, 401, 401]);
  });

  it("a member's token is not a service token", async () => {
    const { token } = await keystone.login('administrator', { project: 'demo' });
    const strict = await open({ service_token_roles_required: true });
    const member = await keystone.login('member', { project: 'demo' });
    const headers = { 'x-roles': null, 'x-auth-token': token, 'x-service-token': member.token };
    expect((await strict.request({ path: '/traits', headers })).status).toBe(401);
    await strict.stop();
  });

  it('an invalid token is refused with the address of the Identity service', async () => {
    const { status, headers } = await ask('gAAAAABnonsense', '/traits');
    expect([status, headers['www-authenticate']]).toEqual([401, `Keystone uri="${keystone.url}"`]);
  });

  it('finds the endpoint of a region in the catalog', async () => {
    const regional = await open({ region_name: 'RegionOne' });
    const { token } = await keystone.login('administrator', { project: 'demo' });
    const headers = { 'x-roles': null, 'x-auth-token': token };
    expect((await regional.request({ path: '/traits', headers })).status).toBe(200);
    expect(lines).not.toContain('the catalog names no Identity endpoint');
    await regional.stop();
  });

  it('logs in with an application credential of its own', async () => {
    const { token } = await keystone.login('placement', { project: 'service' });
    const path = `/v3/users/${users['placement']}/application_credentials`;
    const { document } = await keystone.send(
      'POST',
      path,
      { 'x-auth-token': token },
      {
        application_credential: { name: 'own' },
      },
    );
    const own = await open({
      auth_type: 'v3applicationcredential',
      application_credential_id: document.application_credential.id,
      application_credential_secret: document.application_credential.secret,
    });
    const caller = await keystone.login('administrator', { project: 'demo' });
    const headers = { 'x-roles': null, 'x-auth-token': caller.token };
    expect((await own.request({ path: '/traits', headers })).status).toBe(200);
    await own.stop();
  });

  it('reports in /readyz and in the log that its own account is refused', async () => {
    const wrong = await open({ password: 'wrong-S3CRET' });
    // The error is known only after Keystone has answered, which takes a while for passwords.
    let answer = await wrong.request({ path: '/readyz' });
    while (answer.status === 200) answer = await wrong.request({ path: '/readyz' });
    expect(answer.status).toBe(503);
    expect(answer.json.identity.reason).toContain('rejects the account of [keystone_authtoken] (401)');
    await wrong.stop();
  });

  describe('a login at the console', () => {
    beforeAll(async () => {
      const domain = (await keystone.call('POST', '/v3/domains', { domain: { name: 'Staff' } })).domain.id as string;
      const user = { name: 'olga', password: 'olga’s pässword', domain_id: domain };
      const id = (await keystone.call('POST', '/v3/users', { user })).user.id as string;
      await keystone.call('PUT', `/v3/projects/${demo}/users/${id}/roles/${await keystone.role('reader')}`);
      await keystone.project('other');
    });

    const OLGA = { username: 'olga', password: 'olga’s pässword', user_domain: 'Staff', project: 'demo' };
    const logIn = (body: object): Promise<TestResponse> =>
      service.request({ method: 'POST', path: '/console/login', headers: { 'x-roles': null }, body });

    it('returns a token of the project, with which the service identifies the caller', async () => {
      const { status, json } = await logIn(OLGA);
      expect([status, json]).toMatchObject([200, { user: 'olga', project: 'demo', roles: ['reader'] }]);
      expect(Date.parse(json.expires_at as string)).toBeGreaterThan(Date.now());
      const headers = { 'x-roles': null, 'x-auth-token': json.token as string };
      const session = await service.request({ path: '/console/session', headers });
      expect(session.json).toMatchObject({
        roles: ['reader'],
        may: expect.arrayContaining(['placement:usages']) as object,
      });
      expect((await service.request({ path: '/traits', headers })).status).toBe(403);
      expect(lines).not.toContain(json.token);
    });

    it.each([
      ['a wrong password', { ...OLGA, password: 'wrong' }],
      ['a user that does not exist', { ...OLGA, username: 'nobody' }],
      ['the default domain, where she is not', { ...OLGA, user_domain: 'Default' }],
      ['a domain that is not there', { ...OLGA, user_domain: 'Nowhere' }],
      ['a project where she has no role', { ...OLGA, project: 'other' }],
      ['a project that is not there', { ...OLGA, project: 'nowhere' }],
      ['a password of odd characters', { ...OLGA, password: '🐎\u202e\u0007\ufffd' }],
      ['a long password', { ...OLGA, password: 'p'.repeat(LOGIN_LIMITS.passwordCharacters) }],
    ])('refuses %s without further detail', async (_what, body) => {
      const { status, json } = await logIn(body);
      expect([status, json.errors[0].code]).toEqual([401, 'console.wrong_credentials']);
      expect(lines).not.toContain('pässword');
    });

    it('reports that an account with a second factor must log in another way', async () => {
      const user = { name: 'mfa', password: 'mfa', domain_id: 'default' };
      const options = { multi_factor_auth_enabled: true, multi_factor_auth_rules: [['password', 'oauth1']] };
      const made = await keystone.call('POST', '/v3/users', { user: { ...user, options } });
      await keystone.call('PUT', `/v3/projects/${demo}/users/${made.user.id}/roles/${await keystone.role('reader')}`);
      const { status, json } = await logIn({ username: 'mfa', password: 'mfa', project: 'demo' });
      expect([status, json.errors[0].code]).toEqual([403, 'console.login_refused']);
    });
  });

  it('writes no token into the log', () => {
    expect(seen.length).toBeGreaterThan(10);
    for (const token of seen) expect(lines.includes(token)).toBe(false);
    expect(lines).not.toMatch(/gAAAA|S3CRET/);
  });
});
