// Changes of host aggregates that would put an instance outside of the zone that it asked for, on both databases.
import type { Claims } from '../../src/scheduler/ports';
import { CLAIMS } from '../../src/scheduler/ports';
import { testDatabaseKinds } from '../support/databases';
import type { TestRequest, TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';
import { instance, select } from './scheduler-cloud';
import type { Operator } from './scheduler-operator';
import { operatorOf } from './scheduler-operator';

describe.each(testDatabaseKinds())('zones of instances on %s', (kind) => {
  let service: TestService;
  let operator: Operator;
  let az1 = '';
  let rack = '';
  beforeAll(async () => {
    service = await startTestService(kind);
    operator = operatorOf(service);
  });
  afterAll(() => service.stop());
  beforeEach(async () => {
    for (const host of ['a', 'b', 'c']) await operator.report(host, 8_192);
    az1 = await operator.aggregate('az1', ['a', 'b'], { availability_zone: 'az1' });
    rack = await operator.aggregate('rack', ['c']);
  });
  afterEach(() => operator.clear());

  const place = async (number: number, host: string, zone?: string): Promise<void> => {
    const uuid = instance(number);
    const { status, text } = await select(service, {
      instances: [uuid],
      instance_names: { [uuid]: `vm-${number}` },
      force_hosts: [host],
      ...(zone !== undefined && { availability_zone: zone }),
    });
    if (status !== 200) throw new Error(text);
  };
  const ask = (method: NonNullable<TestRequest['method']>, path: string, body?: object): Promise<TestResponse> =>
    service.request({ method, path, ...(body !== undefined && { body }) });
  const refused = (number: number): object => ({
    status: 409,
    json: {
      errors: [
        {
          code: 'scheduler.in_use',
          detail:
            `Instances would be outside of the availability zone that they asked for: vm-${number}. Move them to other ` +
            `hosts of their zone, or let them leave it: berth instances unpin-zone ${instance(number)}`,
        },
      ],
    },
  });
  const aggregates = async (): Promise<unknown> => (await ask('GET', '/scheduler/host_aggregates')).json;

  const at = (): string => `/scheduler/host_aggregates/${az1}`;
  const compute = async (): Promise<string> => {
    const { json } = await ask('GET', '/compute/v2.1/os-aggregates');
    const { id } = (json.aggregates as { id: number; name: string }[]).find(({ name }) => name === 'az1') ?? { id: 0 };
    return `/compute/v2.1/os-aggregates/${id}`;
  };
  const HOSTS = { hosts: ['b'], name: 'az1', generation: 0 };
  const ROUTES: readonly (readonly [string, () => Promise<TestResponse>])[] = [
    ['another zone', () => ask('PATCH', at(), { availability_zone: 'az9' })],
    ['no zone', () => ask('PATCH', at(), { availability_zone: null })],
    ['other metadata', () => ask('PATCH', `${at()}/metadata`, { metadata: { availability_zone: 'az9' } })],
    ['other hosts', () => ask('PUT', at(), { ...HOSTS, availability_zone: 'az1' })],
    ['a document without a zone', () => ask('PUT', at(), { ...HOSTS, hosts: ['a', 'b'] })],
    ['a host less', () => ask('DELETE', `${at()}/hosts/a`)],
    [
      'another zone by the Compute API',
      async () => ask('PUT', await compute(), { aggregate: { availability_zone: 'az9' } }),
    ],
    [
      'other metadata by the Compute API',
      async () =>
        ask('POST', `${await compute()}/action`, { set_metadata: { metadata: { availability_zone: 'az9' } } }),
    ],
    [
      'a host less by the Compute API',
      async () => ask('POST', `${await compute()}/action`, { remove_host: { host: 'a' } }),
    ],
  ];

  it.each(ROUTES)('refuses %s for an instance that asked for its zone, and changes nothing', async (_, change) => {
    await place(1, 'a', 'az1');
    const before = await aggregates();
    const answer = await change();
    expect(answer.status).toBe(409);
    expect(answer.text).toContain('availability zone that they asked for: vm-1. Move');
    expect(await aggregates()).toEqual(before);
    const unpinned = await ask('POST', `/scheduler/instances/${instance(1)}/unpin_zone`);
    expect(unpinned.json.request).toMatchObject({ availability_zone: null });
    expect((await change()).status).toBeLessThan(300);
  });

  it.each(ROUTES)('allows %s for instances that asked for no zone, or are elsewhere', async (_, change) => {
    await place(1, 'a');
    await place(2, 'c', 'nova');
    expect((await change()).status).toBeLessThan(300);
  });

  it('keeps instances that asked for the default zone out of other zones', async () => {
    await place(1, 'c', 'nova');
    const detail = refused(1);
    expect(await ask('POST', `${at()}/hosts`, { host: 'c' })).toMatchObject(detail);
    expect(await ask('PATCH', `/scheduler/host_aggregates/${rack}`, { availability_zone: 'az2' })).toMatchObject(
      detail,
    );
    const made = { name: 'az3', hosts: ['c'], availability_zone: 'az3' };
    expect(await ask('POST', '/scheduler/host_aggregates', made)).toMatchObject(detail);
    expect((await ask('POST', '/scheduler/host_aggregates', { ...made, availability_zone: 'nova' })).status).toBe(201);
  });

  it('allows what leaves the zone in another aggregate, and does not blame a change for an earlier one', async () => {
    await place(1, 'a', 'az1');
    await operator.aggregate('also-az1', ['a'], { availability_zone: 'az1' });
    expect((await ask('DELETE', `${at()}/hosts/a`)).status).toBe(204);
    expect((await ask('PATCH', `/scheduler/host_aggregates/${rack}`, { availability_zone: 'az2' })).status).toBe(200);
  });

  it('places an instance in its zone if a host leaves the zone between the decision and the claim', async () => {
    const claims = service.app.get<Claims>(CLAIMS, { strict: false });
    const left: string[] = [];
    const claim = jest.spyOn(claims, 'claim').mockImplementationOnce(async (requests, batch) => {
      claim.mockRestore();
      left.push(requests[0]?.host.host ?? '');
      expect((await ask('DELETE', `${at()}/hosts/${left[0]}`)).status).toBe(204);
      return claims.claim(requests, batch);
    });
    const { status, json } = await select(service, { instances: [instance(1)], availability_zone: 'az1' });
    expect({ status, left }).toEqual({ status: 200, left: [expect.stringMatching(/^[ab]$/)] });
    expect(json.selections).toMatchObject([{ selected: { host: left[0] === 'a' ? 'b' : 'a' } }]);
  });

  it('names three instances, and refuses to unpin one that is being moved', async () => {
    for (const number of [1, 2, 3, 4]) await place(number, 'a', 'az1');
    const { text } = await ask('DELETE', `${at()}/hosts/a`);
    expect(text).toMatch(/asked for: vm-\d, vm-\d, vm-\d and more\. Move/);
    const path = `/scheduler/instances/${instance(1)}`;
    await operator.ok('POST', `${path}/move`, { type: 'live_migrate' });
    expect(await ask('POST', `${path}/unpin_zone`)).toMatchObject({ status: 409 });
    expect((await ask('POST', `/scheduler/instances/${instance(9)}/unpin_zone`)).status).toBe(404);
  });
});
