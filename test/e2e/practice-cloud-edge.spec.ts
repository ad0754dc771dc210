// The edge of the practice cloud: its addresses, its authentication, the error format of each of its services, and its
// isolation from Placement.
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';

const ANONYMOUS = { 'x-auth-token': null, 'x-roles': null };

describe('a service on loopback that trusts its callers', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService('sqlite');
  });
  afterAll(() => service.stop());

  it.each([
    ['/compute', 200],
    ['/compute/', 200],
    ['/compute/v2.1', 200],
    ['/compute/v2.1/', 200],
    ['/image', 300],
    ['/image/versions', 200],
  ])('serves the versions at %s without authentication', async (path, status) => {
    const answer = await service.request({ path, headers: ANONYMOUS, version: null });
    expect(answer.status).toBe(status);
    expect(JSON.stringify(answer.json)).toContain('CURRENT');
  });

  it('links to versions with the address that the client uses', async () => {
    const { json } = await service.request({ path: '/compute', headers: { ...ANONYMOUS, host: 'cloud.example:81' } });
    expect(json.versions[0].links).toEqual([{ rel: 'self', href: 'http://cloud.example:81/compute/v2.1/' }]);
  });

  it.each([
    ['/compute/v2.1/servers', { unauthorized: { code: 401, message: 'Authentication required' } }],
    ['/image/v2/images', { message: 'Authentication required', code: '401 Unauthorized', title: 'Unauthorized' }],
  ])('requires authentication for %s, in the format of that service', async (path, document) => {
    const answer = await service.request({ path, headers: ANONYMOUS });
    expect([answer.status, answer.json]).toEqual([401, document]);
  });

  it.each([
    ['/compute/v2.1/nothing', { itemNotFound: { code: 404, message: 'The resource could not be found.' } }],
    ['/image/v2/nothing', { message: 'The resource could not be found.', code: '404 Not Found', title: 'Not Found' }],
  ])('answers 404 for %s in the format of the service', async (path, document) => {
    const answer = await service.request({ path });
    expect([answer.status, answer.json]).toEqual([404, document]);
  });

  it('answers an unknown method with 405 and its name', async () => {
    const answer = await service.request({ method: 'PUT', path: '/compute' });
    expect([answer.status, answer.headers['allow'], answer.json]).toEqual([
      405,
      'GET',
      {
        badMethod: {
          code: 405,
          message: expect.stringMatching(/^The method PUT is not allowed for this resource\. Allowed: .*GET/),
        },
      },
    ]);
  });

  it('negotiates a Compute microversion and returns it', async () => {
    const answer = await service.request({
      path: '/compute/v2.1',
      headers: { 'openstack-api-version': 'compute 2.53' },
    });
    expect(answer.headers).toMatchObject({
      'openstack-api-version': 'compute 2.53',
      'x-openstack-nova-api-version': '2.53',
      vary: 'OpenStack-API-Version, X-OpenStack-Nova-API-Version',
    });
  });

  it.each([
    ['compute 2.97', 406, 'computeFault'],
    ['compute x', 400, 'badRequest'],
  ])('refuses the version %s', async (wanted, status, name) => {
    const answer = await service.request({
      path: '/compute/v2.1/servers',
      headers: { 'openstack-api-version': wanted },
    });
    expect([answer.status, answer.json]).toEqual([
      status,
      { [name]: { code: status, message: expect.stringContaining(wanted.slice(8)) as string } },
    ]);
  });

  it('serves nothing under unusually spelled addresses', async () => {
    for (const path of ['/%63ompute', '/%63ompute/v2.1', '/%69mage/v2/images']) {
      expect((await service.request({ path })).status).toBe(404);
    }
  });

  it('does not change Placement', async () => {
    const root = await service.request({ path: '/', headers: ANONYMOUS });
    expect(root.json.versions[0]).toMatchObject({ id: 'v1.0' });
    expect(root.headers['openstack-api-version']).toMatch(/^placement /);
    const nothing = await service.request({ path: '/computer' });
    expect(nothing.json.errors[0]).toMatchObject({ status: 404 });
  });
});

it.each([
  ['it can be reached from elsewhere', 404, { BERTH_HOST: '0.0.0.0', BERTH_ALLOW_NOAUTH: '1' }],
  ['its callers have tokens', 401, { BERTH_API__AUTH_STRATEGY: 'static' }],
  ['it is switched off', 404, { BERTH_PRACTICE_CLOUD__ENABLED: 'false' }],
] as const)('is not served if %s', async (_why, status, env) => {
  const service = await startTestService('sqlite', { env });
  const paths = ['/compute', '/compute/v2.1', '/image', '/image/v2/images', '/identity/v3'];
  const answers = await Promise.all(paths.map((path) => service.request({ path })));
  await service.stop();
  expect(answers.map((answer) => answer.status)).toEqual(paths.map(() => status));
});
