// The sentences of refusals, word for word, on described clouds.

import { DEFAULT_SCHEDULER_OPTIONS } from '../assemble/default-options.fixture';
import { assembleScheduler } from '../assemble/scheduler-pipeline';
import { SchedulerService } from '../scheduler.service';
import { derivedUuid } from '../simulate/derived-uuid';
import { simulatedPorts } from '../simulate/simulated-cloud';
import type { SimulationDto } from '../simulate/simulation.schema';

type Described = Pick<SimulationDto, 'hosts' | 'providers' | 'host_aggregates' | 'server_groups'>;
type Host = NonNullable<Described['hosts']>[number];
type Provider = NonNullable<Described['providers']>[number];
type Request = Partial<SimulationDto['request']>;

const NOW = '2030-01-01T05:00:00Z';
const ONE = { cpu: 1, ram: 1, disk: 1 };

async function sentenceOf(cloud: Described, asked: Request, filters: readonly string[] = []): Promise<string> {
  const flavor = { name: 'm1', vcpus: 1, memory_mb: 512, root_gb: 0 };
  const request = { flavor, num_instances: 1, project_id: 'p1', user_id: 'u', ...asked };
  const document: SimulationDto = { hosts: [], now: NOW, ...cloud, request };
  const places = { defaultAvailabilityZone: 'nova', hostsFromInventory: true, ratios: { initial: ONE, fixed: ONE } };
  const { candidates, hosts, references, claims, env } = simulatedPorts(document, places);
  const enabledFilters = [...DEFAULT_SCHEDULER_OPTIONS.enabledFilters, ...filters];
  const pipeline = assembleScheduler({ ...DEFAULT_SCHEDULER_OPTIONS, enabledFilters });
  const service = new SchedulerService(pipeline, candidates, hosts, references, claims, env);
  const command = { body: request, requestId: 'req', dryRun: true, explains: 'empty', seed: 1 } as const;
  return (await service.decide(command)).decision.summary.sentence;
}

const named = (count: number, begin: string): readonly string[] =>
  Array.from({ length: count }, (_, at) => `${begin}${at + 1}`);

const provider = (name: string, amounts: Record<string, readonly [total: number, used?: number]>): Provider => ({
  uuid: derivedUuid('host', name),
  name,
  inventories: Object.fromEntries(Object.entries(amounts).map(([key, [total]]) => [key, { total }])),
  used: Object.fromEntries(
    Object.entries(amounts).flatMap(([key, [, used]]) => (used === undefined ? [] : [[key, used]])),
  ),
});

const host = (name: string, more: Partial<Host> = {}): Host => ({
  host: name,
  vcpus_total: 8,
  memory_mb: 8192,
  local_gb: 100,
  last_seen_up: NOW,
  ...more,
});

const flavor = (name: string, more: object = {}, extra: Readonly<Record<string, string>> = {}): Request => ({
  flavor: { name, vcpus: 1, memory_mb: 512, root_gb: 0, extra_specs: extra, ...more },
});

describe('the sentence of a refusal', () => {
  it('names a class that no host has', async () => {
    const hosts = named(800, 'h').map((name) => host(name));
    expect(await sentenceOf({ hosts }, flavor('g1.gpu', {}, { 'resources:VGPU': '1' }))).toBe(
      '0 of 800 hosts fit: no host has VGPU (flavor g1.gpu).',
    );
  });

  it('says what full hosts lack', async () => {
    const providers = ['h1', 'h2'].map((name) => provider(name, { VCPU: [8, 4], MEMORY_MB: [4096] }));
    expect(await sentenceOf({ providers }, flavor('m1', { vcpus: 6 }))).toBe(
      '0 of 2 hosts fit: closest: h1, h2 lack only 2 VCPU (4 free, 6 asked).',
    );
  });

  it('names the nearest hosts of a class with room nowhere, and those that can never hold it', async () => {
    const [small, large] = [129_024, 258_048];
    const avx = { traits: ['HW_CPU_X86_AVX2'] };
    const providers = [
      ...named(33, 's').map((name) => ({ ...provider(name, { VCPU: [8], MEMORY_MB: [small] }), ...avx })),
      ...named(4, 'l').map((name) => provider(name, { VCPU: [8], MEMORY_MB: [large] })),
      ...named(3, 'f').map((name) => provider(name, { VCPU: [8], MEMORY_MB: [large, large] })),
      { ...provider('flagship', { VCPU: [8], MEMORY_MB: [large, 196_608] }), ...avx },
    ];
    const asked = flavor('big', { memory_mb: 160_000 }, { 'trait:HW_CPU_X86_AVX2': 'required' });
    expect(await sentenceOf({ providers }, asked)).toBe(
      '0 of 41 hosts fit: closest: 4 hosts lack only trait HW_CPU_X86_AVX2 (flavor big), flagship lacks only 98560 ' +
        'MEMORY_MB; 33 can never hold 160000 MEMORY_MB.',
    );
  });

  it('names the zone whose hosts are all disabled', async () => {
    const disabled = { status: 'disabled', disabled_reason: 'firmware', updated_at: '2030-01-01T02:39:11Z' } as const;
    const inZone = named(4, 'z');
    const hosts = [...inZone.map((name) => host(name, disabled)), ...named(8, 'h').map((name) => host(name))];
    const host_aggregates = [{ name: 'zone-1', availability_zone: 'az1', hosts: inZone }];
    expect(await sentenceOf({ hosts, host_aggregates }, { availability_zone: 'az1' })).toBe(
      '0 of 12 hosts fit: all 4 hosts of zone az1 are disabled (firmware, since 02:39Z).',
    );
  });

  it('says that several providers have what one must give', async () => {
    const cards = ['card1', 'card2'].map((name) => ({
      ...provider(name, { VGPU: [1] }),
      parent_uuid: derivedUuid('host', 'gpu1'),
    }));
    const providers = [
      ...['gpu1', 'h1', 'h2'].map((name) => provider(name, { VCPU: [8], MEMORY_MB: [4096] })),
      ...cards,
    ];
    expect(await sentenceOf({ providers }, flavor('g2', {}, { 'resources:VGPU': '2' }))).toBe(
      '0 of 3 hosts fit: closest: gpu1 has 2 VGPU free on 2 providers, and one request group takes one provider ' +
        '(use resources1, resources2).',
    );
  });

  it('names the server group whose members are on all hosts', async () => {
    const members = named(3, 'member').map((name) => derivedUuid('instance', name));
    const hosts = named(3, 'h').map((name, at) => host(name, { instances: [{ uuid: members[at] ?? '' }] }));
    const uuid = derivedUuid('group', 'db');
    const server_groups = [{ uuid, name: 'db', policy: 'anti-affinity' as const, members }];
    expect(await sentenceOf({ hosts, server_groups }, { scheduler_hints: { group: [uuid] } })).toBe(
      '0 of 3 hosts fit: each runs a member of anti-affinity group db (add hosts or raise its max_server_per_host).',
    );
  });

  it('names the host aggregates that keep the project out', async () => {
    const hosts = named(9, 'h').map((name) => host(name));
    const names = hosts.map((each) => each.host);
    const host_aggregates = [
      { name: 'agg-a', hosts: names.slice(0, 5), metadata: { filter_tenant_id: 'p2' } },
      { name: 'agg-b', hosts: names.slice(5), metadata: { filter_tenant_id: 'p3' } },
    ];
    expect(await sentenceOf({ hosts, host_aggregates }, {}, ['AggregateMultiTenancyIsolation'])).toBe(
      '0 of 9 hosts fit: no host aggregate admits project p1 (filter_tenant_id of agg-a, agg-b).',
    );
  });

  const traits = (...names: readonly string[]) => ({ traits: names });
  const small = (name: string, more: object = {}): Provider => ({
    ...provider(name, { VCPU: [8], MEMORY_MB: [4096] }),
    ...more,
  });
  const child = (name: string, parent: string, amounts: Record<string, readonly [total: number, used?: number]>) => ({
    ...provider(name, amounts),
    parent_uuid: derivedUuid('host', parent),
  });
  const AGGREGATE = derivedUuid('aggregate', 'rack');

  it.each<[string, Described, Request, string]>([
    [
      'the class that no host has before the memory that most hosts lack',
      { providers: [...named(3, 's').map((name) => provider(name, { VCPU: [8], MEMORY_MB: [64] })), small('h1')] },
      flavor('g1.gpu', {}, { 'resources:VGPU': '1' }),
      '0 of 4 hosts fit: no host has VGPU (flavor g1.gpu); 3 can never hold 512 MEMORY_MB.',
    ],
    [
      'two conditions that no host satisfies together',
      {
        providers: [
          small('fast', { ...traits('CUSTOM_SSD'), used: { VCPU: 8, MEMORY_MB: 4096 } }),
          ...named(2, 'h').map((name) => ({ ...provider(name, { VCPU: [8], MEMORY_MB: [4096, 4000] }) })),
          small('free'),
          small('full', { used: { VCPU: 7 } }),
        ],
      },
      flavor('ssd', { vcpus: 2 }, { 'trait:CUSTOM_SSD': 'required' }),
      '0 of 5 hosts fit: 2 have 512 MEMORY_MB free and 1 has trait CUSTOM_SSD, none has both; closest: free lacks only ' +
        'trait CUSTOM_SSD (flavor ssd); 2 lack VCPU.',
    ],
    [
      'a forbidden trait',
      { providers: ['h1', 'h2'].map((name) => small(name, traits('CUSTOM_OLD'))) },
      flavor('new', {}, { 'trait:CUSTOM_OLD': 'forbidden' }),
      '0 of 2 hosts fit: both hosts have the forbidden trait CUSTOM_OLD (flavor new).',
    ],
    [
      'a forbidden trait of some of the hosts',
      { providers: [small('h1', traits('CUSTOM_OLD')), small('h2', { used: { VCPU: 8 } })] },
      flavor('new', {}, { 'trait:CUSTOM_OLD': 'forbidden' }),
      '0 of 2 hosts fit: closest: h1 is kept out only by the forbidden trait CUSTOM_OLD (flavor new), h2 lacks only 1 VCPU.',
    ],
    [
      'hosts and not the pool that they share',
      {
        providers: [
          ...['h1', 'h2'].map((name) => small(name, { aggregates: [AGGREGATE] })),
          {
            ...provider('pool', { DISK_GB: [100, 95] }),
            ...traits('MISC_SHARES_VIA_AGGREGATE'),
            aggregates: [AGGREGATE],
          },
        ],
      },
      flavor('disk', { root_gb: 20 }),
      '0 of 2 hosts fit: closest: h1, h2 lack only 15 DISK_GB (5 free, 20 asked).',
    ],
    [
      'hosts that are down',
      { hosts: named(3, 'h').map((name) => host(name, { forced_down: true })) },
      {},
      '0 of 3 hosts fit: all 3 hosts are down.',
    ],
    [
      'hosts that are disabled and hosts that are down',
      { hosts: [host('h1', { status: 'disabled', disabled_reason: 'fan' }), host('h2', { forced_down: true })] },
      {},
      '0 of 2 hosts fit: closest: h2 is only down (the compute service is forced down), h1 is only disabled (fan).',
    ],
    [
      'the host that the request names',
      { hosts: ['h1', 'h2'].map((name) => host(name)) },
      { ...flavor('m1', { vcpus: 9 }), requested_destination: { host: 'h2' } },
      'Host h2, which the request names, does not fit: it can never hold 9 VCPU (max_unit 8).',
    ],
    [
      'hosts that the request ignores',
      { hosts: ['h1', 'h2'].map((name) => host(name)) },
      { ignore_hosts: ['h1', 'h2'] },
      '0 of 2 hosts fit: both hosts are excluded: the request ignores this host.',
    ],
    [
      'a trait that the image asks for',
      { providers: named(2, 'h').map((name) => small(name)) },
      { image: { name: 'debian', properties: { 'trait:CUSTOM_TPM': 'required' } } },
      '0 of 2 hosts fit: no host has trait CUSTOM_TPM (image debian).',
    ],
    [
      'devices for groups that are kept apart',
      { providers: [small('h1'), child('card', 'h1', { VGPU: [4] })] },
      flavor('g2', {}, { 'resources1:VGPU': '1', 'resources2:VGPU': '1', group_policy: 'isolate' }),
      '0 of 1 host fits: h1 lacks a provider for each request group (group_policy isolate).',
    ],
    [
      'two groups of one class',
      {
        providers: [
          ...named(2, 'h').map((name) => small(name)),
          child('card1', 'h1', { VGPU: [2, 1] }),
          child('card2', 'h2', { VGPU: [1] }),
        ],
      },
      flavor('g2', {}, { 'resources1:VGPU': '1', 'resources2:VGPU': '1', group_policy: 'none' }),
      '0 of 2 hosts fit: closest: h1 lacks only 1 VGPU on card1 (1 free, 2 asked); 1 can never hold 2 VGPU.',
    ],
    [
      'a batch whose earlier instances fill the hosts',
      { providers: named(2, 'h').map((name) => small(name)) },
      { ...flavor('m1', { vcpus: 8 }), num_instances: 3 },
      '2 of 3 instances fit; no host is left for instance 3: the earlier instances filled both hosts.',
    ],
  ])('names %s', async (_, cloud, asked, sentence) => expect(await sentenceOf(cloud, asked)).toBe(sentence));
});
