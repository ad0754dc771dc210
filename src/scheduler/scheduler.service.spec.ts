import { Unavailable, UnknownReference } from '../platform/values/errors';
import { hostTopology } from '../scheduling-rules/numa/numa.fixture';
import type { Decision } from '../scheduling-rules/pipeline/decision';
import type { FlavorDto } from './request/request.schema';
import type { FixtureHost } from './scheduler.fixture';
import { chosenHosts, decideOn, FixtureCloud, uuidOf } from './scheduler.fixture';

const big = { name: 'big', memoryMb: 8192 };
const mid = { name: 'mid', memoryMb: 4096 };
const small = { name: 'small', memoryMb: 2048 };

/** Two filters whose rejections are easy to provoke: one runs for every instance, the other once. */
const FILTERS = { enabledFilters: ['NumInstancesFilter', 'DifferentHostFilter'] };

/** Law: exactly one stage rejects each host that Placement returned, or it is in the ranking. */
function expectEveryHostInOnePlace({ passes, placement }: Decision): void {
  const [first] = passes;
  const rejected = first?.stages.flatMap((stage) => stage.rejected.map(({ host }) => host)) ?? [];
  const ranked = first?.ranking.map(({ state }) => state.host) ?? [];
  const places = [...rejected, ...ranked];
  expect(new Set(places).size).toBe(places.length);
  expect(places).toHaveLength(placement?.hosts ?? 0);
  for (const stage of passes.flatMap((pass) => pass.stages)) expect(stage.in).toBe(stage.out + stage.rejected.length);
}

describe('an instance that asks for PCPU by resources', () => {
  const request = (extraSpecs: Readonly<Record<string, string>>): object => ({
    flavor: { name: 'pinned', vcpus: 2, memory_mb: 1024, extra_specs: extraSpecs },
    numa_topology: 'auto',
  });
  const options = { enabledFilters: ['NUMATopologyFilter'] };
  const pinned = (...pinnedCpus: readonly number[]): FixtureHost => ({
    name: 'pinned',
    state: { numaTopology: hostTopology({ pinnedCpus }) },
  });

  it('is pinned to free dedicated CPUs', async () => {
    const cloud = new FixtureCloud([pinned(4, 5)]);
    const { placements } = await decideOn(cloud, { body: request({ 'resources:PCPU': '2' }), options });
    expect(cloud.requests.flat()).toMatchObject([{ placement: { numa: { cells: [{ pinnedCpus: [6, 7] }] } } }]);
    expect(placements[0]?.selected?.state.limits.numa).toBeDefined();
  });

  it('is rejected if all dedicated CPUs are pinned', async () => {
    const { decision } = await decideOn(new FixtureCloud([pinned(4, 5, 6)]), {
      body: request({ 'resources:PCPU': '2' }),
      options,
    });
    expect(decision.summary.rejected).toEqual({ 'NUMATopologyFilter.dedicated_free': 1 });
  });

  it('sends no second query for shared CPUs, and counts the CPU of the emulator', async () => {
    const cloud = new FixtureCloud([]);
    await decideOn(cloud, {
      body: request({ 'resources:PCPU': '3', 'hw:emulator_threads_policy': 'isolate' }),
      options,
    });
    const [query] = cloud.queries;
    expect(Object.fromEntries(query?.groups[0]?.resources ?? [])).toEqual({ MEMORY_MB: 1024, PCPU: 3 });
  });
});

it('an instance pinned by its image, with explicit amounts for everything else, has no second query', async () => {
  const cloud = new FixtureCloud([big]);
  await decideOn(cloud, {
    body: {
      flavor: {
        name: 'f',
        vcpus: 3,
        memory_mb: 512,
        extra_specs: { 'resources:VCPU': '0', 'resources:MEMORY_MB': '0', 'trait:CUSTOM_X': 'required' },
      },
      image: { properties: { hw_cpu_policy: 'dedicated' } },
    },
    options: { novaCompat: true, enabledFilters: [] },
  });
  expect(cloud.queries.map(({ groups }) => groups.map(({ resources }) => Object.fromEntries(resources)))).toEqual([
    [{ PCPU: 3 }],
  ]);
});

describe('the only GPU of a host', () => {
  const GPU = { vendorId: '10de', productId: '1eb8', devType: 'type-PCI', numaNode: 0, count: 1, tags: {} } as const;
  const body = {
    instances: [uuidOf(1), uuidOf(2)],
    numa_topology: { cells: [{ cpuset: [0], memory: 512 }] },
    pci_requests: [{ spec: [{ vendor_id: '10de' }] }],
  };
  const options = { enabledFilters: ['PciPassthroughFilter'] };
  const [CELLS, SMALL_CELLS] = [hostTopology({}), hostTopology({ memoryMb: 256 })];

  it.each([
    ['fit the instance', CELLS],
    ['do not fit the instance', SMALL_CELLS],
    ['are not reported', null],
  ])('goes to one instance of a batch without NUMATopologyFilter, if the NUMA cells %s', async (_, numaTopology) => {
    const cloud = new FixtureCloud([{ ...big, state: { numaTopology, pciPools: [GPU] } }]);
    const { decision } = await decideOn(cloud, { body: { ...body, min_count: 1 }, options });
    expect(decision.summary.rejected).toEqual({ 'PciPassthroughFilter.too_few_devices': 1 });
    expect(cloud.requests.flat()).toMatchObject([{ placement: { pci: [{ count: 1, pool: { vendorId: '10de' } }] } }]);
  });
});

describe('one instance', () => {
  it('goes to the host with the most free memory and is claimed there', async () => {
    const cloud = new FixtureCloud([small, big, mid]);
    const decided = await decideOn(cloud);
    expect(chosenHosts(decided)).toEqual(['big']);
    expect(cloud.claimed).toEqual(new Map([[uuidOf(1), 'big']]));
    expect(decided.decision).toMatchObject({ outcome: 'placed', code: null, seed: 7, driver: 'filter_scheduler' });
    expectEveryHostInOnePlace(decided.decision);
  });

  it('queries Placement with the status trait and the limit per host', async () => {
    const cloud = new FixtureCloud([big]);
    const { decision } = await decideOn(cloud);
    expect(cloud.queries[0]).toMatchObject({ limit: null, perRoot: 8, rootForbidden: ['COMPUTE_STATUS_DISABLED'] });
    expect(decision.placement?.query).toBe('resources=MEMORY_MB:512,VCPU:1&root_required=!COMPUTE_STATUS_DISABLED');
  });

  it('avoids ignored hosts, whatever the case of their names', async () => {
    const { decision, placements } = await decideOn(new FixtureCloud([big, mid]), { body: { ignore_hosts: ['BIG'] } });
    expect(placements[0]?.selected?.state.host).toBe('mid');
    expect(decision.passes[0]?.stages[0]).toMatchObject({ kind: 'preselection', in: 2, out: 1 });
    expect(decision.summary.rejected).toEqual({ 'preselection.ignored': 1 });
    expectEveryHostInOnePlace(decision);
  });

  it('explains every rejected host by stage, code and values', async () => {
    const cloud = new FixtureCloud([
      { ...big, instances: [uuidOf(90)] },
      { ...mid, instances: [uuidOf(91), uuidOf(92)] },
      { ...small, isUnknown: true },
    ]);
    const { decision, refusal } = await decideOn(cloud, {
      body: { scheduler_hints: { different_host: uuidOf(90) } },
      options: { ...FILTERS, values: { filter_scheduler: { max_instances_per_host: 2 } } },
    });
    expect(refusal).toMatchObject({ code: 'scheduler.no_valid_host' });
    const fell = decision.passes[0]?.stages.map(({ name, rejected }) => [name, rejected.map((one) => one.message)]);
    expect(fell).toEqual([
      ['preselection', ['no host is known for root provider small']],
      ['NumInstancesFilter', ['host runs 2 instances; the limit is 2']],
      ['DifferentHostFilter', [`host runs ${uuidOf(90)}, named by the hint different_host`]],
    ]);
    expect(decision.summary.sentence).toBe(
      `0 of 3 hosts fit: closest: big fails only DifferentHostFilter (host runs ${uuidOf(90)}, named by the hint ` +
        'different_host), mid fails only NumInstancesFilter (host runs 2 instances; the limit is 2).',
    );
    expectEveryHostInOnePlace(decision);
  });

  it('queries Placement without a limit if a hint compares hosts with instances', async () => {
    const cloud = new FixtureCloud([big]);
    await decideOn(cloud, { body: { scheduler_hints: { different_host: [uuidOf(5)] } } });
    expect(cloud.queries[0]?.limit).toBeNull();
  });
});

describe('hosts that placement did not return', () => {
  const condition = { kind: 'resource', names: ['VCPU'], amount: 1, groups: [''], parts: [] } as const;
  const params = { asked: 1, free: 0, lacking: 1, capacity: 3 };
  const rejections = [
    {
      root: { id: 1, uuid: 'tiny', name: 'tiny' },
      failures: [{ condition, code: 'not_enough_left', params, isNever: false }],
      isNear: true,
    },
  ];
  const explained = (hosts: readonly FixtureHost[]): FixtureCloud =>
    Object.assign(new FixtureCloud(hosts), { judgeHosts: () => Promise.resolve(rejections) });

  it('are explained on request', async () => {
    const { decision } = await decideOn(explained([big]), { command: { explains: 'always' } });
    expect(decision.placement?.rejections).toEqual(rejections);
    expect(decision.summary.rejected).toEqual({ 'placement.not_enough_left': 1 });
  });

  it('are not queried otherwise', async () => {
    const { decision } = await decideOn(explained([big]));
    expect(decision.placement?.rejections).toBeNull();
    expect(decision.summary.rejected).toEqual({});
  });
});

describe('refusals', () => {
  it('distinguish no candidates from no valid host', async () => {
    const { refusal, decision } = await decideOn(new FixtureCloud([]));
    expect(refusal).toMatchObject({ code: 'scheduler.no_candidates' });
    expect(decision).toMatchObject({ outcome: 'no_valid_host', placement: { hosts: 0, candidates: 0 } });
  });

  it.each([
    ['flavor', { flavor: 'm1.small' }],
    ['image', { image: 'cirros' }],
    ['availability_zone', { availability_zone: 'az1' }],
    ['instance_group', { instance_group: uuidOf(3) }],
    ['scheduler_hints.group', { scheduler_hints: { group: uuidOf(3) } }],
    ['flavor.extra_specs.hw:numa_nodes', { flavor: flavorWith({ 'hw:numa_nodes': '2' }) }],
    ['flavor.extra_specs.pci_passthrough:alias', { flavor: flavorWith({ 'pci_passthrough:alias': 'a:1' }) }],
    ['flavor.extra_specs.hw:mem_encryption', { flavor: flavorWith({ 'hw:mem_encryption': 'True' }) }],
    ['image.properties.hw_cpu_policy', { image: { properties: { hw_cpu_policy: 'pinned' } } }],
  ])('name the unsupported field %s', async (field, body) => {
    const cloud = new FixtureCloud([big]);
    const { refusal, decision } = await decideOn(cloud, { body });
    expect(refusal).toMatchObject({ code: 'scheduler.invalid_request' });
    expect(refusal?.message).toMatch(new RegExp(`^'${field}' `));
    expect(decision.outcome).toBe('refused');
    expect(cloud.queries).toEqual([]);
  });

  it('accept fields that request nothing', async () => {
    const nothing = {
      force_hosts: [],
      numa_topology: 'auto' as const,
      pci_requests: null,
      requested_destination: {},
      retry: null,
    };
    const flavor = flavorWith({ 'hw:cpu_policy': 'shared', 'hw:mem_encryption': 'false' });
    const { refusal } = await decideOn(new FixtureCloud([big]), { body: { ...nothing, flavor } });
    expect(refusal).toBeNull();
  });

  it("repeat Placement's message about an invalid query", async () => {
    const cloud = new FixtureCloud([big]);
    cloud.search = () => Promise.reject(new UnknownReference('No such trait(s): CUSTOM_X.'));
    const { refusal } = await decideOn(cloud);
    expect(refusal).toMatchObject({ code: 'scheduler.invalid_request', message: 'No such trait(s): CUSTOM_X.' });
  });

  it('are 503 if Placement is unreachable', async () => {
    const cloud = new FixtureCloud([big]);
    cloud.search = () => Promise.reject(new Unavailable('the database does not answer'));
    expect((await decideOn(cloud)).refusal).toMatchObject({ code: 'scheduler.unavailable' });
  });

  it('report hints that no enabled part reads', async () => {
    const { decision } = await decideOn(new FixtureCloud([big]), { body: { scheduler_hints: { colour: 'blue' } } });
    expect(decision.ignored).toEqual([
      { field: 'scheduler_hints.colour', why: 'no enabled filter, weigher or prefilter reads it' },
    ]);
  });
});

describe('alternates', () => {
  const alternatesOf = async (hosts: FixtureCloud, instances: readonly string[]): Promise<string[][]> => {
    const { placements } = await decideOn(hosts, { body: { instances }, command: { returnAlternates: true } });
    return placements.map(({ alternates }) => alternates.map(({ state }) => state.host));
  };

  it('are the next best hosts, one fewer than the maximum of attempts', async () => {
    const cloud = new FixtureCloud([small, big, mid, { name: 'tiny', memoryMb: 1024 }]);
    expect(await alternatesOf(cloud, [uuidOf(1)])).toEqual([['mid', 'small']]);
  });

  it('exclude the hosts of other instances of the batch', async () => {
    const cloud = new FixtureCloud([
      { name: 'a', memoryMb: 2048 },
      { name: 'b', memoryMb: 1792 },
      { name: 'c', memoryMb: 600 },
    ]);
    expect(await alternatesOf(cloud, [uuidOf(1), uuidOf(2)])).toEqual([['c'], ['c']]);
  });

  it('are not claimed', async () => {
    const cloud = new FixtureCloud([big, mid]);
    await alternatesOf(cloud, [uuidOf(1)]);
    expect([...cloud.claimed.values()]).toEqual(['big']);
  });
});

describe('seeds', () => {
  const hosts = Array.from({ length: 10 }, (_, at) => ({ name: `host-${at}` }));
  const draw = async (seed: number): Promise<string[]> => {
    const options = { hostSubsetSize: 10, shuffleBestSameWeighedHosts: true };
    const instances = [uuidOf(1), uuidOf(2), uuidOf(3)];
    return chosenHosts(await decideOn(new FixtureCloud(hosts), { body: { instances }, command: { seed }, options }));
  };

  it('reproduce a decision', async () => {
    for (const seed of [0, 1, 42, 4_294_967_295]) expect(await draw(seed)).toEqual(await draw(seed));
  });

  it('spread decisions if they differ', async () => {
    const firsts = new Set<string | undefined>();
    for (let seed = 0; seed < 40; seed += 1) firsts.add((await draw(seed))[0]);
    expect(firsts.size).toBeGreaterThan(5);
  });

  it('have no effect without random choice: equal hosts are ordered by name', async () => {
    const chosen = await decideOn(new FixtureCloud([...hosts].reverse()));
    expect(chosenHosts(chosen)).toEqual(['host-0']);
  });
});

describe('mode all', () => {
  it('runs every filter on every host and decides the same', async () => {
    const cloud = new FixtureCloud([{ ...big, instances: [uuidOf(90)] }, mid]);
    const { decision, placements } = await decideOn(cloud, {
      body: { scheduler_hints: { different_host: uuidOf(90) } },
      options: { ...FILTERS, values: { filter_scheduler: { max_instances_per_host: 1 } } },
      command: { mode: 'all' },
    });
    expect(placements[0]?.selected?.state.host).toBe('mid');
    expect(decision.passes[0]?.stages.at(-1)).toMatchObject({ in: 1, out: 1, alsoRejects: [{ host: 'big' }] });
    expectEveryHostInOnePlace(decision);
  });
});

function flavorWith(extraSpecs: Readonly<Record<string, string>>): FlavorDto {
  return { vcpus: 1, memory_mb: 512, extra_specs: extraSpecs };
}
