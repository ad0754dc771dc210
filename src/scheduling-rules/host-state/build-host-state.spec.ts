// The host state from a host's report, its providers' inventory, and Berth's placements since the report.
import { hostTopology } from '../numa/numa.fixture';
import type { BuildOptions, HostSources } from './build-host-state';
import { expiryOf, instanceOfPending, inventoryHostState, reportedHostState } from './build-host-state';
import type { NumaPciPlacement } from './charge-instance';
import type { HostReport, ReportedInstance, ServiceFacts } from './host-facts';
import type { HostState } from './host-state';
import { node, NOW, pending, provider, released, reported, resource, service } from './host-state.fixture';

const OPTIONS: BuildOptions = { nowMs: NOW, pendingTtlSeconds: 60, countsPlacements: true, comparesPlacement: true };
const TREE = [
  provider(
    'root',
    {
      VCPU: resource(16, 3, { allocationRatio: 4, capacity: 64 }),
      DISK_GB: resource(100, 20, { reserved: 5, allocationRatio: 1.5 }),
    },
    { traits: ['HW_X'] },
  ),
  provider('numa', { PCPU: resource(4, 1) }, { rootUuid: 'root', parentUuid: 'root', traits: ['HW_CHILD'] }),
  provider(
    'ram',
    { MEMORY_MB: resource(8192, 1000, { reserved: 192, allocationRatio: 1.2 }) },
    { rootUuid: 'root', parentUuid: 'root' },
  ),
];

/** Placement holds nothing for the host. */
const IDLE = [
  provider('root', { VCPU: resource(64), MEMORY_MB: resource(65_536), DISK_GB: resource(1_000) }, { traits: ['HW_X'] }),
];

const POOL = { vendorId: '8086', productId: '1', devType: 'type-PCI' as const, numaNode: null, tags: {} };

function stateOf(
  report: Partial<HostReport>,
  given: Partial<ServiceFacts> = {},
  { tree = TREE, ...options }: Partial<BuildOptions> & Partial<Pick<HostSources, 'tree'>> = {},
): HostState {
  const from = { service: service(given), host: node(report), aggregates: [], tree };
  return reportedHostState(from, { ...OPTIONS, ...options });
}

describe('a host that reported everything', () => {
  const report: Partial<HostReport> = {
    hostIp: '10.0.0.1',
    hypervisorType: 'QEMU',
    hypervisorVersion: 8_000_001,
    hypervisorHostname: 'n.example.org',
    cpuInfo: '{"arch":"x86_64"}',
    vcpusTotal: 8,
    vcpusUsed: 5,
    memoryMb: 4096,
    freeRamMb: -10,
    localGb: 50,
    freeDiskGb: 40,
    localGbUsed: 12,
    cpuAllocationRatio: 2,
    ramAllocationRatio: 1.1,
    diskAllocationRatio: 3,
    supportedInstances: [['x86_64', 'kvm', 'hvm']],
    stats: { num_instances: '7', io_workload: '2', failed_builds: '1', note: 'true' },
    metrics: [{ name: 'cpu.percent', value: 3, unit: '%', measuredAtMs: 1_000 }],
    failedBuilds: 4,
    numaTopology: hostTopology({ cpuset: [0, 1], memoryMb: 1024 }),
    pciPools: [{ ...POOL, count: 2 }],
    instances: [reported('i1', { projectId: 'p', flavor: 'm1', imageProperties: { os_type: 'linux' } })],
  };

  it('is what it said', () => {
    const from = { service: service(), host: node(report, { cell: 'cell1' }), aggregates: [], tree: IDLE };
    const state = reportedHostState(from, OPTIONS);
    expect(state).toMatchObject({
      host: 'h',
      node: 'n',
      uuid: 'root',
      cell: 'cell1',
      hostIp: '10.0.0.1',
      hypervisorType: 'QEMU',
      hypervisorVersion: 8_000_001,
      hypervisorHostname: 'n.example.org',
      cpuInfo: '{"arch":"x86_64"}',
      supportedInstances: [['x86_64', 'kvm', 'hvm']],
      vcpusTotal: 8,
      vcpusUsed: 5,
      totalUsableRamMb: 4096,
      freeRamMb: -10,
      totalUsableDiskGb: 50,
      freeDiskMb: 40 * 1024,
      diskMbUsed: 12 * 1024,
      cpuAllocationRatio: 2,
      ramAllocationRatio: 1.1,
      diskAllocationRatio: 3,
      numInstances: 7,
      numIoOps: 2,
      failedBuilds: 4,
      limits: {},
      candidates: [],
      stats: { num_instances: '7', io_workload: '2', failed_builds: '1', note: 'true' },
      metrics: [{ name: 'cpu.percent', value: 3, unit: '%', measuredAtMs: 1_000 }],
      pciPools: [{ ...POOL, count: 2 }],
      updatedAtMs: NOW - 5_000,
    });
    expect(state.numaTopology?.cells).toMatchObject([{ id: 0, cpuset: [0, 1], memoryMb: 1024 }]);
    expect([...state.instances]).toMatchObject([
      ['i1', { uuid: 'i1', projectId: 'p', flavor: 'm1', imageProperties: { os_type: 'linux' } }],
    ]);
    expect([...state.traits]).toEqual(['HW_X']);
  });

  it('carries its service and its aggregates as they are', () => {
    const aggregates = [{ uuid: 'a', name: 'a', metadata: {} }];
    const from = { service: service(), host: node(report), aggregates, tree: TREE };
    const state = reportedHostState(from, OPTIONS);
    expect(state.service).toBe(from.service.service);
    expect(state.aggregates).toBe(aggregates);
  });
});

describe('fields that a report omits', () => {
  it('is taken from the provider tree, summed', () => {
    expect(stateOf({})).toMatchObject({
      vcpusTotal: 20,
      vcpusUsed: 4,
      cpuAllocationRatio: 4,
      totalUsableRamMb: 8192,
      freeRamMb: 7000,
      ramAllocationRatio: 1.2,
      totalUsableDiskGb: 100,
      freeDiskMb: 75 * 1024,
      diskMbUsed: 25 * 1024,
      diskAllocationRatio: 1.5,
      numInstances: 0,
      numIoOps: 0,
      failedBuilds: 0,
      stats: {},
      metrics: [],
      hypervisorType: null,
      hypervisorVersion: null,
      hostIp: null,
      cpuInfo: null,
      supportedInstances: [],
      numaTopology: null,
      pciPools: null,
      cell: null,
    });
  });

  it('is 0 if Placement was not queried either', () => {
    expect(stateOf({}, {}, { tree: [] })).toMatchObject({
      uuid: 'root',
      vcpusTotal: 0,
      totalUsableRamMb: 0,
      freeDiskMb: 0,
      cpuAllocationRatio: 1,
    });
  });

  it.each<[number | null, number]>([
    [null, 4],
    [0, 4],
    [0.5, 0.5],
    [1, 1],
  ])('a CPU ratio of %s in the report gives %s', (ratio, expected) =>
    expect(stateOf({ cpuAllocationRatio: ratio }).cpuAllocationRatio).toBe(expected),
  );

  it('a reported 0 is said', () => {
    expect(stateOf({ freeRamMb: 0, vcpusUsed: 0, localGbUsed: 0 }, {}, { tree: IDLE })).toMatchObject({
      freeRamMb: 0,
      vcpusUsed: 0,
      diskMbUsed: 0,
    });
  });
});

it.each<[string, Partial<HostReport>, number]>([
  ['nothing is reported', { diskAvailableLeast: 7 }, 75],
  ['only free space is', { freeDiskGb: 40 }, 40],
  ['the disks hold less', { freeDiskGb: 40, diskAvailableLeast: 39 }, 39],
  ['the disks hold the same', { freeDiskGb: 40, diskAvailableLeast: 40 }, 40],
  ['the disks hold more', { freeDiskGb: 40, diskAvailableLeast: 41 }, 40],
  ['the disks are overcommitted', { freeDiskGb: 40, diskAvailableLeast: -3 }, -3],
  ['nothing is free', { freeDiskGb: 0, diskAvailableLeast: null }, 0],
])('of the disk, when %s: %#', (_, report, gib) => expect(stateOf(report).freeDiskMb).toBe(gib * 1024));

describe('counts', () => {
  const one = (given: Partial<ReportedInstance>): ReportedInstance => reported('i', given);
  it.each<[string, ReportedInstance, number]>([
    ['nothing', one({}), 0],
    ['an active instance', one({ vmState: 'active' }), 0],
    ['one being built', one({ vmState: 'building' }), 1],
    ['one being built and imaged, once', one({ vmState: 'building', taskState: 'image_backup' }), 1],
    ...[
      'resize_migrating',
      'rebuilding',
      'resize_prep',
      'image_snapshot',
      'image_backup',
      'rescuing',
      'unshelving',
    ].map((task): [string, ReportedInstance, number] => [task, one({ vmState: 'active', taskState: task }), 1]),
    ['spawning', one({ vmState: 'active', taskState: 'spawning' }), 0],
    ['powering off', one({ vmState: 'active', taskState: 'powering-off' }), 0],
  ])('I/O of the list: %s', (_, listed, expected) =>
    expect(stateOf({ instances: [listed, reported('other')] })).toMatchObject({ numIoOps: expected, numInstances: 2 }),
  );

  it.each<[string, Partial<HostReport>, Partial<HostState>]>([
    ['stats before the list', { stats: { num_instances: '9', io_workload: '8' } }, { numInstances: 9, numIoOps: 8 }],
    ['the list where stats say nothing', { stats: {} }, { numInstances: 1, numIoOps: 1 }],
    [
      'the list where stats are no count',
      { stats: { num_instances: 'many', io_workload: '-1' } },
      { numInstances: 1, numIoOps: 1 },
    ],
    ['a reported 0', { stats: { num_instances: '0', io_workload: '0' } }, { numInstances: 0, numIoOps: 0 }],
    ['failed builds of the stats', { stats: { failed_builds: '3' } }, { failedBuilds: 3 }],
    ['failed builds of the report first', { stats: { failed_builds: '3' }, failedBuilds: 0 }, { failedBuilds: 0 }],
  ])('%s', (_, report, expected) =>
    expect(stateOf({ instances: [reported('i', { vmState: 'building' })], ...report })).toMatchObject(expected),
  );
});

const REPORT: Partial<HostReport> = {
  vcpusUsed: 4,
  memoryMb: 16_384,
  freeRamMb: 8000,
  localGb: 200,
  freeDiskGb: 100,
  stats: { num_instances: '2', io_workload: '1' },
  instances: [reported('known'), reported('busy', { vmState: 'building' })],
};
/** 13 GiB of disk, plus a whole GiB for half a GiB of swap. */
const CHARGED = { vcpusUsed: 6, freeRamMb: 6976, freeDiskMb: (100 - 14) * 1024, numInstances: 3, numIoOps: 2 };
const AS_REPORTED = { vcpusUsed: 4, freeRamMb: 8000, freeDiskMb: 100 * 1024, numInstances: 2, numIoOps: 1 };

describe('an instance that Berth placed', () => {
  it.each<[string, Partial<ServiceFacts>, Partial<BuildOptions>, Partial<HostState>]>([
    ['counts until a report lists it', { pending: [pending('new')] }, {}, CHARGED],
    ['counts no more once a report lists it', { pending: [pending('known')] }, {}, AS_REPORTED],
    ['counts on its node only', { pending: [pending('new', { node: 'other' })] }, {}, AS_REPORTED],
    ['counts not as nova decides', { pending: [pending('new')] }, { countsPlacements: false }, AS_REPORTED],
    [
      'counts without its root disk when it boots from a volume',
      { pending: [pending('new', { isBfv: true })] },
      {},
      { ...CHARGED, freeDiskMb: (100 - 4) * 1024 },
    ],
    [
      'takes a whole GiB for a bit of swap, and none for none',
      {
        pending: [
          pending('a', { flavor: { swap: 1 } }),
          pending('b', { flavor: { swap: 1025 } }),
          pending('c', { flavor: {} }),
        ],
      },
      {},
      { vcpusUsed: 4, freeRamMb: 8000, freeDiskMb: (100 - 3) * 1024, numInstances: 5, numIoOps: 4 },
    ],
    [
      'counts with every other',
      { pending: [pending('one'), pending('two')] },
      {},
      { vcpusUsed: 8, freeRamMb: 5952, numInstances: 4, numIoOps: 3 },
    ],
    [
      'is an I/O operation to the last millisecond of its time',
      { pending: [pending('new', { placedAtMs: NOW - 59_999 })] },
      {},
      CHARGED,
    ],
    [
      'is no I/O operation when its time is over',
      { pending: [pending('new', { placedAtMs: NOW - 60_000 })] },
      {},
      { ...CHARGED, numIoOps: 1 },
    ],
    [
      'counts in nova’s place until nova counts it',
      { pending: [pending('known', { isUncounted: true })] },
      { comparesPlacement: false },
      CHARGED,
    ],
    [
      'counts no more in nova’s place when its time is over',
      { pending: [pending('known', { isUncounted: true, placedAtMs: NOW - 60_000 })] },
      { comparesPlacement: false },
      AS_REPORTED,
    ],
  ])('%s', (_, given, options, expected) =>
    expect(stateOf(REPORT, given, { tree: IDLE, ...options })).toMatchObject(expected),
  );

  it('is seen among the instances of the host, as far as it is known', () => {
    const image = { properties: { os_type: 'linux', hw_cpu_cores: 2 } };
    const state = stateOf(REPORT, { pending: [pending('new', { image })] });
    expect([...state.instances.keys()]).toEqual(['known', 'busy', 'new']);
    expect(state.instances.get('new')).toEqual({
      uuid: 'new',
      projectId: 'p',
      flavor: 'm1',
      imageProperties: { os_type: 'linux', hw_cpu_cores: '2' },
    });
    expect(instanceOfPending(pending('x', { flavor: null }))).toMatchObject({ flavor: null, imageProperties: {} });
  });

  it('takes its cells and devices, and a report that has neither stays without', () => {
    const numa: NumaPciPlacement['numa'] = {
      cells: [
        {
          instanceCell: 0,
          hostCell: 0,
          sharedCpus: 1,
          pinnedCpus: [4],
          heldCpus: [4],
          memoryMb: 512,
          pageSizeKb: null,
        },
      ],
    };
    const given = { pending: [pending('new', { numaTopology: numa, pciRequests: [{ pool: POOL, count: 1 }] })] };
    const { cells } = hostTopology({});
    const full = {
      ...REPORT,
      numaTopology: { cells },
      pciPools: [{ ...POOL, count: 2 }],
    };
    const state = stateOf(full, given);
    expect(state.numaTopology?.cells).toMatchObject([{ cpuUsage: 1, pinnedCpus: [4], memoryUsageMb: 512 }]);
    expect(state.pciPools).toMatchObject([{ count: 1 }]);
    expect(stateOf(REPORT, given)).toMatchObject({ numaTopology: null, pciPools: null, numInstances: 3 });
    const gone = { released: [released('known', { numaTopology: numa, pciRequests: [{ pool: POOL, count: 1 }] })] };
    const used = {
      ...full,
      numaTopology: {
        cells: cells.map((cell) => ({ ...cell, pinnedCpus: [4, 5], cpuUsage: 3, memoryUsageMb: 600 })),
      },
    };
    const without = stateOf(used, gone);
    expect(without.numaTopology?.cells).toMatchObject([{ cpuUsage: 2, pinnedCpus: [5], memoryUsageMb: 88 }]);
    expect(without.pciPools).toMatchObject([{ count: 3 }]);
  });
});

describe('an instance that Berth released', () => {
  const LESS = { vcpusUsed: 2, freeRamMb: 9024, freeDiskMb: (100 + 14) * 1024, numInstances: 1, numIoOps: 1 };
  it.each<[string, Partial<ServiceFacts>, Partial<BuildOptions>, Partial<HostState>]>([
    ['counts no more while the report still lists it', { released: [released('known')] }, {}, LESS],
    [
      'is one I/O operation less when the report counts it as one',
      { released: [released('busy')] },
      {},
      { ...LESS, numIoOps: 0 },
    ],
    [
      'gives back no root disk that it never took',
      { released: [released('known', { isBfv: true })] },
      {},
      { ...LESS, freeDiskMb: 104 * 1024 },
    ],
    ['changes nothing that the report does not list', { released: [released('gone')] }, {}, AS_REPORTED],
    ['changes nothing on another node', { released: [released('known', { node: 'other' })] }, {}, AS_REPORTED],
    ['counts on, as nova decides', { released: [released('known')] }, { countsPlacements: false }, AS_REPORTED],
    [
      'makes room for one that was placed since',
      { released: [released('known')], pending: [pending('new')] },
      {},
      { ...AS_REPORTED, numIoOps: 2 },
    ],
  ])('%s', (_, given, options, expected) =>
    expect(stateOf(REPORT, given, { tree: IDLE, ...options })).toMatchObject(expected),
  );

  it('is not on the host any more', () => {
    expect([...stateOf(REPORT, { released: [released('known')] }).instances.keys()]).toEqual(['busy']);
  });

  it('leaves no count below nothing', () => {
    const report = { ...REPORT, stats: { num_instances: '0', io_workload: '0' } };
    const state = stateOf(report, { released: [released('known'), released('busy')] });
    expect(state).toMatchObject({ numInstances: 0, numIoOps: 0 });
  });
});

describe('a state has to be built again', () => {
  const entry = (...placed: ServiceFacts['pending']): Pick<HostSources, 'service' | 'host'> => ({
    service: service({ pending: placed }),
    host: node(REPORT),
  });
  it.each<[string, ServiceFacts['pending'], number]>([
    ['never, without placements', [], Infinity],
    ['never, for one that is listed', [pending('known')], Infinity],
    ['never, for one that ran out', [pending('new', { placedAtMs: NOW - 60_000 })], Infinity],
    [
      'when the first runs out',
      [pending('a', { placedAtMs: NOW - 1_000 }), pending('b', { placedAtMs: NOW - 30_000 })],
      NOW + 30_000,
    ],
  ])('%s', (_, placed, expected) => expect(expiryOf(entry(...placed), OPTIONS)).toBe(expected));
});

describe('a root provider without a report', () => {
  const [root] = TREE as [ReturnType<typeof provider>];
  it('has only the amounts of its inventories and allocations', () => {
    const aggregates = [{ uuid: 'a', name: 'a', metadata: {} }];
    const unreported = { root, tree: TREE, aggregates, instances: ['i'], service: undefined, nowMs: NOW };
    const state = inventoryHostState(unreported);
    expect(state).toMatchObject({
      host: 'root',
      node: 'root',
      uuid: 'root',
      cell: null,
      service: null,
      updatedAtMs: null,
      vcpusTotal: 20,
      vcpusUsed: 4,
      freeRamMb: 7000,
      freeDiskMb: 75 * 1024,
      numInstances: 1,
      numIoOps: 0,
      hypervisorType: null,
      supportedInstances: [],
      numaTopology: null,
      pciPools: null,
      failedBuilds: 0,
    });
    expect(state.aggregates).toBe(aggregates);
    expect([...state.instances.keys()]).toEqual(['i']);
    expect([...state.traits]).toEqual(['HW_X']);
  });
});
