// Reports of flavors and stranded amounts over HTTP on both databases: equal to the scheduler's count if only Placement
// matters, with the missing resources by name, and clear refusals.
import { setImmediate } from 'node:timers/promises';
import { testDatabaseKinds } from '../support/databases';
import type { TestResponse, TestService } from '../support/service';
import { startTestService } from '../support/service';
import { providerUuid } from '../world/world-description';
import type { Json } from './scheduler-cloud';
import { clear, loadWorld } from './scheduler-cloud';

const WORLD = `
full   VCPU:8/8  MEMORY_MB:8192
roomy  VCPU:8    MEMORY_MB:4500
gpu    VCPU:2/1  MEMORY_MB:8192  CUSTOM_GPU:2  {CUSTOM_FAST}
`;

describe.each(testDatabaseKinds())('reports of flavors on %s', (kind) => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService(kind, { overrides: { berth: { stranded_max_age_seconds: 1 } } });
  });
  afterAll(() => service.stop());

  const ask = (path: string): Promise<TestResponse> => service.request({ path, version: null });
  const get = async (path: string): Promise<Json> => {
    const answer = await ask(path);
    if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
    return answer.json;
  };
  /** Repeats the request until the result is computed. */
  const found = async (path: string): Promise<Json> => {
    for (;;) {
      const json = await get(path);
      if ((json.stranded ?? json).state === 'current') return json;
      // Injected requests never leave the process, so this yields to the event loop.
      await setImmediate();
    }
  };
  const register = async (id: string, flavor: object): Promise<void> => {
    const body = { name: id, vcpus: 1, memory_mb: 512, ...flavor };
    const { status, text } = await service.request({ method: 'PUT', path: `/scheduler/flavors/${id}`, body });
    if (status !== 201) throw new Error(`${status} ${text}`);
  };
  const clean = async (): Promise<void> => {
    await clear(service);
    const { json } = await service.request({ path: '/scheduler/flavors' });
    for (const { id } of json.flavors as { id: string }[]) {
      await service.request({ method: 'DELETE', path: `/scheduler/flavors/${id}` });
    }
  };

  describe('in a cloud of three hosts', () => {
    beforeAll(async () => {
      await loadWorld(service, WORLD);
      await register('small', {});
      await register('large', { vcpus: 4, memory_mb: 4096 });
      await register('fast', { extra_specs: { 'trait:CUSTOM_FAST': 'required' } });
      await register('card', { extra_specs: { 'resources:CUSTOM_GPU': '1' } });
    });
    afterAll(clean);

    const flavors = async (query = ''): Promise<Json> => found(`/reports/flavors${query}`);
    const flavor = async (id: string): Promise<Json> => (await flavors(`?flavor=${id}`)).flavors[0];

    it('lists how many of each fit, and on how many hosts', async () => {
      const { flavors: listed, at, age_s: age, next_marker: next } = await flavors();
      expect([next, typeof at, age >= 0]).toEqual([null, 'string', true]);
      expect(
        listed.map(({ id, fit, at_least: atLeast, hosts, error }: Json) => [id, fit, atLeast, hosts, error]),
      ).toEqual([
        ['small', 9, false, 2, null],
        ['large', 1, false, 1, null],
        ['fast', 1, false, 1, null],
        ['card', 1, false, 1, null],
      ]);
    });

    it('names the bottleneck, the failed constraint, and the number of hosts', async () => {
      expect((await flavor('small')).binding).toEqual([
        { kind: 'resource', name: 'VCPU', hosts: 3, sentence: 'VCPU runs out first on 3 hosts' },
      ]);
      expect((await flavor('large')).binding).toEqual([
        { kind: 'resource', name: 'VCPU', hosts: 2, sentence: 'VCPU runs out first on 2 hosts' },
        { kind: 'resource', name: 'MEMORY_MB', hosts: 1, sentence: 'memory runs out first on 1 host' },
      ]);
      expect((await flavor('fast')).binding).toContainEqual({
        kind: 'trait',
        name: 'CUSTOM_FAST',
        hosts: 2,
        sentence: '2 hosts lack trait CUSTOM_FAST',
      });
      expect((await flavor('card')).binding).toContainEqual({
        kind: 'resource',
        name: 'CUSTOM_GPU',
        hosts: 2,
        sentence: '2 hosts have no CUSTOM_GPU',
      });
    });

    it('continues after a marker', async () => {
      const first = await flavors('?limit=3');
      expect(first.flavors).toHaveLength(3);
      const { flavors: rest, next_marker: next } = await flavors(`?limit=3&marker=${first.next_marker}`);
      expect([rest.map(({ id }: Json) => id), next]).toEqual([['card'], null]);
    });

    it('shows the amount of each class that no flavor can use, and what is missing to use it', async () => {
      const { groups, stranded } = await found('/reports/capacity');
      expect(stranded).toMatchObject({ state: 'current', flavors: 4 });
      const { VCPU, MEMORY_MB: memory, CUSTOM_GPU: gpu } = groups[0].resource_classes;
      expect(VCPU.stranded).toEqual({ amount: 0, at_most: false, hosts: 0, because: [] });
      // All of the first host; the rest after eight of 512, or one of 4096 and four of 512; and the rest after the last
      // place.
      expect(memory.stranded).toEqual({
        amount: 8192 + (4500 - 4096) + (8192 - 512),
        at_most: false,
        hosts: 3,
        because: [
          { lacks: 'VCPU', hosts: 2, amount: 15872, sentence: 'memory left without VCPU on 2 hosts' },
          {
            lacks: 'MEMORY_MB',
            hosts: 1,
            amount: 404,
            sentence: 'memory left in amounts that no flavor takes on 1 host',
          },
        ],
      });
      expect(gpu.stranded).toMatchObject({ amount: 1, because: [{ lacks: 'VCPU', hosts: 1 }] });
    });

    it('covers only the requested flavors', async () => {
      const { groups, stranded } = await found('/reports/capacity?flavor=large&resource_class=VCPU&flavor=large');
      expect(stranded.flavors).toBe(1);
      expect(groups[0].resource_classes.VCPU.stranded).toMatchObject({ amount: 5, at_most: false, hosts: 2 });
    });

    it('leaves out disabled hosts, after its cache has expired, and gives the reason', async () => {
      const disabled = 'COMPUTE_STATUS_DISABLED';
      const path = `/resource_providers/${providerUuid('roomy')}/traits`;
      const write = async (traits: readonly string[]): Promise<void> => {
        const { json } = await service.request({ path });
        const body = { traits, resource_provider_generation: json.resource_provider_generation as number };
        const { status, text } = await service.request({ method: 'PUT', path, body });
        if (status !== 200) throw new Error(text);
      };
      const until = async (fit: number): Promise<Json> => {
        for (;;) {
          const small = await flavor('small');
          if (small.fit === fit) return small;
          await setImmediate();
        }
      };
      await write([disabled]);
      expect((await until(1)).binding).toContainEqual({
        kind: 'service_up',
        name: 'ComputeFilter',
        hosts: 1,
        sentence: '1 host is disabled or down',
      });
      const { groups } = await found('/reports/capacity');
      expect(groups[0].resource_classes.MEMORY_MB.stranded.amount).toBe(8192 + (8192 - 512));
      await write([]);
      await until(9);
    });

    it.each([
      ['/reports/flavors?flavour=small', 'flavour'],
      ['/reports/flavors?flavor=nothing', "names no flavor: 'nothing'"],
      ['/reports/capacity?flavor=nothing', "names no flavor: 'nothing'"],
      ['/reports/flavors?limit=0', 'limit'],
      ['/reports/flavors?marker=nothing', 'nothing'],
    ])('refuses %s', async (path, named) => {
      const { status, text } = await ask(path);
      expect([status, text]).toEqual([400, expect.stringContaining(named)]);
    });
  });

  const WORLDS: readonly [name: string, world: string, flavor: object, isAtLeast?: boolean][] = [
    ['plain hosts', 'a VCPU:4 MEMORY_MB:2048\nb VCPU:9 MEMORY_MB:1600\nc VCPU:9/8 MEMORY_MB:5000', {}],
    [
      'cells',
      'a DISK_GB:9\n  a0 VCPU:3 MEMORY_MB:2048\n  a1 VCPU:4/1 MEMORY_MB:1024\nb VCPU:5 MEMORY_MB:9000 DISK_GB:2',
      { root_gb: 1 },
      true,
    ],
    [
      'a disk that hosts share',
      'a VCPU:4 MEMORY_MB:4096 @agg\nb VCPU:4 MEMORY_MB:4096 @agg\nss DISK_GB:30 {SHARES} @agg',
      { root_gb: 5 },
      true,
    ],
    [
      'units that allow no more',
      'a VCPU:9(max=1) MEMORY_MB:4096(step=256)\nb VCPU:9(min=2) MEMORY_MB:9000\nc VCPU:2(ratio=2) MEMORY_MB:4096(reserved=512)',
      {},
    ],
    [
      'groups that need providers of their own',
      'a VCPU:9 MEMORY_MB:9000\n  a0 CUSTOM_SLOT:3\n  a1 CUSTOM_SLOT:2\n  a2 CUSTOM_SLOT:2',
      { extra_specs: { 'resources1:CUSTOM_SLOT': '1', 'resources2:CUSTOM_SLOT': '1', group_policy: 'isolate' } },
      true,
    ],
    ['a pinned flavor that falls back', 'a VCPU:3 MEMORY_MB:4096', { extra_specs: { 'hw:cpu_policy': 'dedicated' } }],
    ['nothing', 'a VCPU:4 MEMORY_MB:500', {}],
  ];

  it.each(WORLDS)('counts of %s the same as the scheduler', async (name, world, given, isAtLeast = false) => {
    await loadWorld(service, world);
    const id = name.replaceAll(' ', '-');
    await register(id, given);
    const { flavors } = await found(`/reports/flavors?flavor=${id}`);
    const { total } = (await service.request({ path: `/scheduler/capacity?flavor=${id}` })).json;
    expect(flavors).toMatchObject([{ id, fit: total, at_least: isAtLeast }]);
    await clean();
  });
});
