// The number of instances that fit, over HTTP on both databases: exactly that many can be claimed.
import { testDatabaseKinds } from '../support/databases';
import type { TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';
import type { Json } from './scheduler-cloud';
import { clear, flavorWith, loadWorld, OWNER, select, SMALL } from './scheduler-cloud';

const GROUP = '00000000-0000-4000-8000-00000000aaaa';

describe.each(testDatabaseKinds())('capacity on %s', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind, { overrides: { scheduler: { candidates_per_host: 2 } } });
  });
  afterAll(() => service.stop());
  afterEach(async () => {
    const { json } = await service.request({ path: '/scheduler/instances' });
    for (const { uuid } of json.instances as { uuid: string }[]) {
      await service.request({ method: 'DELETE', path: `/scheduler/instances/${uuid}` });
    }
    await service.request({ method: 'DELETE', path: `/scheduler/server_groups/${GROUP}` });
    await clear(service);
  });

  const capacity = async (body: object = {}): Promise<Json> => {
    const document = { flavor: SMALL, ...body };
    const answer = await service.request({ method: 'POST', path: '/scheduler/capacity', body: document });
    if (answer.status !== 200) throw new Error(answer.text);
    return answer.json;
  };
  const group = (policy: string, rules: object = {}): Promise<TestResponse> =>
    service.request({
      method: 'PUT',
      path: `/scheduler/server_groups/${GROUP}`,
      body: { name: 'g', policy, rules },
    });
  const byHost = (answer: Json): Record<string, number> =>
    Object.fromEntries(answer.hosts.map((each: Json) => [each.host, each.instances]));

  const WORLDS: readonly [string, string, object, number][] = [
    ['plain hosts', 'a VCPU:4 MEMORY_MB:2048\nb VCPU:9 MEMORY_MB:1600\nc VCPU:9 MEMORY_MB:500', {}, 7],
    ['what is in use', 'a VCPU:4/2 MEMORY_MB:2048\nb VCPU:9 MEMORY_MB:1024', {}, 4],
    [
      'more candidates than are asked at first',
      `a VCPU:16 MEMORY_MB:8192\n${['1', '2', '3', '4', '5'].map((at) => `  a${at} CUSTOM_SLOT:1`).join('\n')}`,
      flavorWith({ 'resources:CUSTOM_SLOT': '1' }),
      5,
    ],
    [
      'a disk that hosts share',
      'a VCPU:4 MEMORY_MB:4096 @agg\nb VCPU:4 MEMORY_MB:4096 @agg\nss DISK_GB:30 {MISC_SHARES_VIA_AGGREGATE} @agg',
      flavorWith({}, { root_gb: 5 }),
      6,
    ],
    ['nothing', 'a VCPU:4 MEMORY_MB:500', {}, 0],
  ];

  it.each(WORLDS)('of %s equals the number that can be claimed', async (_of, world, body, expected) => {
    await loadWorld(service, world);
    const answer = await capacity(body);
    expect(answer).toMatchObject({ total: expected, at_least: false });
    expect(Object.values(byHost(answer)).reduce((sum, each) => sum + each, 0)).toBe(expected);
    if (expected > 0) expect((await select(service, { ...body, num_instances: expected })).status).toBe(200);
    expect((await select(service, body)).status).toBe(409);
    expect(await capacity(body)).toMatchObject({ total: 0, at_least: false });
  });

  it.each([
    ['anti-affinity', {}, 3],
    ['anti-affinity', { max_server_per_host: 2 }, 6],
    ['affinity', {}, 4],
  ])('satisfies the policy %s with the rules %j', async (policy, rules, expected) => {
    await loadWorld(
      service,
      'a VCPU:9 MEMORY_MB:2048\nb VCPU:9 MEMORY_MB:2000\nc VCPU:9 MEMORY_MB:1999\nd VCPU:9 MEMORY_MB:100',
    );
    await group(policy, rules);
    const body = { instance_group: GROUP };
    expect(await capacity(body)).toMatchObject({ total: expected });
    expect((await select(service, { ...body, num_instances: expected })).status).toBe(200);
    expect((await select(service, body)).status).toBe(409);
  });

  it('counts up to the requested limit, and reports that more can fit', async () => {
    await loadWorld(service, 'a VCPU:4 MEMORY_MB:8192\nb VCPU:4 MEMORY_MB:8000');
    expect(await capacity({ max_instances: 8 })).toMatchObject({ total: 8, at_least: true, max_instances: 8 });
    expect(await capacity({ max_instances: 9 })).toMatchObject({ total: 8, at_least: false });
    const cut = await capacity({ max_instances: 3 });
    expect(cut).toMatchObject({ total: 3, at_least: true, cut_by: 'max_instances', hosts_not_counted: 1 });
    expect(byHost(cut)).toEqual({ a: 3 });
  });

  it('is listed by zone, with the reasons for hosts without room', async () => {
    await loadWorld(
      service,
      'a VCPU:4 MEMORY_MB:8192\nb VCPU:2 MEMORY_MB:8000\nc VCPU:9 MEMORY_MB:8\nd VCPU:9 MEMORY_MB:8192',
    );
    await service.request({ method: 'PUT', path: '/scheduler/hosts/d/d', body: {} });
    await service.request({ method: 'PATCH', path: '/scheduler/services/d', body: { forced_down: true } });
    const made = await service.request({
      method: 'POST',
      path: '/scheduler/host_aggregates',
      body: { name: 'z', availability_zone: 'east', hosts: ['b'] },
    });
    const answer = await capacity();
    expect(answer).toMatchObject({
      total: 6,
      zones: [
        { zone: 'east', hosts: 1, instances: 2 },
        { zone: 'nova', hosts: 1, instances: 4 },
      ],
      blocked: { count: 2, by_code: { 'ComputeFilter.service_forced_down': 1 } },
    });
    expect(answer.blocked.hosts.map(({ host, stage }: Json) => [host, stage])).toEqual([
      ['c', 'placement'],
      ['d', 'ComputeFilter'],
    ]);
    await service.request({ method: 'DELETE', path: `/scheduler/host_aggregates/${made.json.uuid}` });
    await service.request({ method: 'DELETE', path: '/scheduler/hosts/d/d' });
    await service.request({ method: 'DELETE', path: '/scheduler/services/d' });
  });

  it('can be requested by name, and claims nothing', async () => {
    await loadWorld(service, 'a VCPU:4 MEMORY_MB:8192');
    await service.request({
      method: 'PUT',
      path: '/scheduler/flavors/1',
      body: { name: 'tiny', vcpus: 2, memory_mb: 1 },
    });
    const get = (query: string): Promise<TestResponse> => service.request({ path: `/scheduler/capacity?${query}` });
    expect((await get('flavor=tiny')).json).toMatchObject({ total: 2, at_least: false, outcome: 'placed' });
    expect((await get('flavor=tiny&max_instances=1')).json).toMatchObject({ total: 1, at_least: true });
    expect((await get('flavor=none')).json).toMatchObject({
      total: null,
      outcome: 'refused',
      code: 'scheduler.invalid_request',
    });
    expect((await get('flavour=tiny')).status).toBe(400);
    expect((await get('flavor=tiny&max_instances=0')).status).toBe(400);
    expect((await get('')).status).toBe(400);
    expect((await service.request({ path: '/scheduler/instances' })).json.instances).toEqual([]);
    await service.request({ method: 'DELETE', path: '/scheduler/flavors/1' });
  });

  it('ignores the number of instances in a request', async () => {
    await loadWorld(service, 'a VCPU:4 MEMORY_MB:8192');
    expect(await capacity({ ...OWNER, num_instances: 2, min_count: 1, return_alternates: true })).toMatchObject({
      total: 4,
    });
  });

  it('counts ten thousand while other requests are served', async () => {
    const hosts = Array.from({ length: 60 }, (_, at) => `h${at} VCPU:200 MEMORY_MB:200000`);
    await loadWorld(service, hosts.join('\n'));
    let isCounted = false;
    const counting = capacity().finally(() => (isCounted = true));
    expect((await service.request({ path: '/scheduler' })).status).toBe(200);
    expect(isCounted).toBe(false);
    expect(await counting).toMatchObject({ total: 10_000, at_least: true });
  });
});
