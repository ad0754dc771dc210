// Differences between Berth and nova_compat, side by side, one row per point that the core decides. Points of
// prefilters and image properties are in their own specs.
import type { HostState } from '../scheduling-rules/host-state/host-state';
import { hostTopology } from '../scheduling-rules/numa/numa.fixture';
import type { SchedulerOptions } from './assemble/scheduler-options';
import type { SelectDestinationsDto } from './request/request.schema';
import type { FixtureHost } from './scheduler.fixture';
import { decideOn, FixtureCloud, FLAVOR, uuidOf } from './scheduler.fixture';

interface Case {
  readonly hosts: readonly FixtureHost[];
  readonly body?: Partial<SelectDestinationsDto>;
  readonly options?: Partial<SchedulerOptions>;
  readonly prepare?: (cloud: FixtureCloud) => void;
  /** The compared value. */
  readonly shows: (cloud: FixtureCloud, run: Awaited<ReturnType<typeof decideOn>>) => unknown;
}

const two = [uuidOf(1), uuidOf(2)];
const RAM = { weightClasses: ['RAMWeigher'] };
const hostsOf: Case['shows'] = (_, { placements, refusal }) =>
  refusal?.code ?? placements.map(({ selected }) => selected?.state.host);
/** The state of the only host when the last instance was filtered. */
const lastState =
  (show: (state: HostState) => unknown): Case['shows'] =>
  (_, { decision }) => {
    const state = decision.passes.at(-1)?.ranking[0]?.state;
    return state === undefined ? undefined : show(state);
  };
const group = {
  uuid: uuidOf(3),
  policy: 'affinity' as const,
  maxServerPerHost: null,
  members: new Set<string>(),
  hosts: new Set<string>(),
};
const PINNED = { ...FLAVOR, extra_specs: { 'hw:cpu_policy': 'dedicated' } };
const PAGES = [
  { sizeKb: 2048, total: 512, used: 0, reserved: 0 },
  { sizeKb: 1_048_576, total: 1, used: 0, reserved: 0 },
];

it.each<[string, Case, unknown, unknown]>([
  [
    'all candidates of a host are tried',
    {
      hosts: [{ name: 'big', memoryMb: 8192, slots: 3 }, { name: 'mid' }],
      options: RAM,
      prepare: ({ failures }) => failures.set('big', ['no_capacity']),
      shows: ({ claimed }) => [...claimed.values()],
    },
    ['big+big.1'],
    ['mid'],
  ],
  [
    'a host whose resources all come from child providers is placed on',
    {
      hosts: [{ name: 'hollow', memoryMb: 8192, slots: 1, isHollow: true }, { name: 'plain' }],
      options: RAM,
      shows: (cloud, { decision }) => [
        ...cloud.claimed.values(),
        decision.passes[0]?.claims.length,
        decision.passes[0]?.ranking.map(({ state }) => state.host),
      ],
    },
    ['hollow.0', 1, ['hollow', 'plain']],
    ['plain', 1, ['hollow', 'plain']],
  ],
  [
    'placement is asked for several candidates of each host',
    { hosts: [{ name: 'a' }], shows: ({ queries }) => queries.map(({ perRoot }) => perRoot) },
    [8],
    [1],
  ],
  [
    'the second query for pinned CPUs is sent when the first found nothing',
    {
      hosts: [{ name: 'a' }],
      body: { flavor: PINNED, numa_topology: null },
      shows: ({ queries }) => queries.map(({ groups }) => [...(groups[0]?.resources.keys() ?? [])].join()),
    },
    ['MEMORY_MB,PCPU'],
    ['MEMORY_MB,PCPU', 'MEMORY_MB,VCPU'],
  ],
  [
    'the policy of a server group holds when the claim commits',
    {
      hosts: [{ name: 'a' }],
      body: { instance_group: uuidOf(3) },
      prepare: ({ groups }) => groups.push(group),
      shows: ({ requests }) => requests[0]?.map((request) => request.group),
    },
    [{ uuid: uuidOf(3), isEnforced: true }],
    [{ uuid: uuidOf(3), isEnforced: false }],
  ],
  [
    'a host is charged what placement was asked for',
    {
      hosts: [{ name: 'a', memoryMb: 8192 }],
      body: {
        instances: two,
        flavor: { ...FLAVOR, root_gb: 10, swap: 1, extra_specs: { 'resources:MEMORY_MB': '100' } },
      },
      shows: lastState(({ freeRamMb, freeDiskMb }) => [freeRamMb, freeDiskMb]),
    },
    [8092, -11 * 1024],
    [7680, -10 * 1024],
  ],
  [
    'the root disk of an instance that boots from a volume is not on the host',
    {
      hosts: [{ name: 'a' }],
      body: { instances: two, is_bfv: true, flavor: { ...FLAVOR, root_gb: 10 } },
      shows: lastState(({ freeDiskMb }) => freeDiskMb),
    },
    0,
    -10 * 1024,
  ],
  [
    'each member of a batch is seen on its host by the next one',
    {
      hosts: [{ name: 'a' }],
      body: { instances: two },
      shows: lastState(({ instances }) => [...instances.keys()]),
    },
    [uuidOf(1)],
    [],
  ],
  [
    'but for server groups, whose members always are',
    {
      hosts: [{ name: 'a' }],
      body: { instances: two, instance_group: { policy: 'affinity' } },
      shows: lastState(({ instances }) => [...instances.keys()]),
    },
    [uuidOf(1)],
    [uuidOf(1)],
  ],
  [
    'each member of a batch keeps its own request for pages',
    {
      hosts: [{ name: 'a', memoryMb: 8192, state: { numaTopology: hostTopology({ mempages: PAGES }) } }],
      body: {
        instances: two,
        flavor: { ...FLAVOR, memory_mb: 1024, extra_specs: { 'hw:numa_nodes': '1', 'hw:mem_page_size': 'any' } },
      },
      options: { ...RAM, enabledFilters: ['NUMATopologyFilter'] },
      shows: ({ requests }, { refusal }) => [
        ...requests.flat().map(({ placement }) => placement?.numa?.cells.map(({ pageSizeKb }) => pageSizeKb)),
        refusal?.code ?? 'placed',
      ],
    },
    // The only large page goes to the first instance. The second requests any size again; in nova, that of the first.
    [[1_048_576], [2048], 'placed'],
    ['scheduler.no_valid_host'],
  ],
])('%s', async (_, { hosts, body, options, prepare, shows }, ours, novas) => {
  const results = [];
  for (const novaCompat of [false, true]) {
    const cloud = new FixtureCloud(hosts);
    prepare?.(cloud);
    const run = await decideOn(cloud, {
      body: { instances: [uuidOf(1)], ...body },
      options: { ...options, novaCompat },
    });
    results.push(shows(cloud, run));
  }
  expect(results).toStrictEqual([ours, novas]);
});

it('the second query can be switched off in both', async () => {
  for (const novaCompat of [false, true]) {
    const cloud = new FixtureCloud([]);
    const options = { novaCompat, disableFallbackPcpuQuery: true };
    await decideOn(cloud, { body: { flavor: PINNED, numa_topology: null }, options });
    const classes = cloud.queries.flatMap(({ groups }) => [...(groups[0]?.resources.keys() ?? [])]);
    expect(classes).not.toContain('VCPU');
  }
});

function cloudWithoutPcpu(): FixtureCloud {
  const cloud = new FixtureCloud([{ name: 'a' }]);
  const search = cloud.search.bind(cloud);
  cloud.search = async (query, bounds) => {
    const answer = await search(query, bounds);
    return query.groups[0]?.resources.has('PCPU') === true ? { ...answer, requests: [] } : answer;
  };
  return cloud;
}

it('a result of the second query can be placed, too', async () => {
  const cloud = cloudWithoutPcpu();
  const run = await decideOn(cloud, { body: { flavor: PINNED, numa_topology: null } });
  expect(hostsOf(cloud, run)).toEqual(['a']);
  expect(run.decision.placement).toMatchObject({ hosts: 1, fallback: { hosts: 1, candidates: 1 } });
});

it('dedicated CPUs on a host with shared ones only are a warning, unless NUMATopologyFilter judges it', async () => {
  const ignoredOf = async (enabledFilters: readonly string[], extra = {}): Promise<readonly string[]> => {
    const run = await decideOn(cloudWithoutPcpu(), {
      body: { flavor: PINNED, numa_topology: null, ...extra },
      options: { enabledFilters },
    });
    return run.decision.ignored.map(({ field, why }) => `${field} ${why}`);
  };
  expect(await ignoredOf(['ComputeFilter'])).toEqual([
    expect.stringMatching(/^flavor\.extra_specs\.hw:cpu_policy asks for dedicated CPUs, and NUMATopologyFilter/),
  ]);
  expect(await ignoredOf(['ComputeFilter', 'NUMATopologyFilter'])).toEqual([]);
  expect(await ignoredOf(['ComputeFilter'], { flavor: FLAVOR })).toEqual([]);
});
