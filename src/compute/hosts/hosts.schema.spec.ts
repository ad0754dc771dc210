import { validDocument } from '../../platform/http/dto-body.decorator';
import { fieldFault } from '../../platform/values/field-fault';
import { numbers } from '../../scheduling-rules/numa/numa.fixture';
import type { HostNumaTopology } from '../../scheduling-rules/request-spec/numa-topology';
import { NUMA_CELLS_MAX } from '../../scheduling-rules/request-spec/numa-topology';
import type { PciPool } from '../../scheduling-rules/request-spec/pci-pool';
import { hostReportOf, problemOfReport } from './host-report';
import { HostReportDto } from './hosts.schema';

const topologyOf = async (document: unknown): Promise<HostNumaTopology | null> =>
  hostReportOf(await validDocument(HostReportDto, { numa_topology: document })).numaTopology;
const poolsOf = async (document: unknown): Promise<readonly PciPool[] | null> =>
  hostReportOf(await validDocument(HostReportDto, { pci_device_pools: document })).pciPools;

/** The reason why the report is refused, or `fine`. */
async function outcome(report: object): Promise<string> {
  try {
    const problem = problemOfReport(hostReportOf(await validDocument(HostReportDto, report)));
    return problem === undefined ? 'fine' : fieldFault(problem.field, problem.why);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

const CELL = {
  id: 0,
  socket: 0,
  cpuset: [2, 3],
  pcpuset: [4, 5, 6, 7],
  pinned_cpus: [4],
  siblings: [
    [4, 5],
    [6, 7],
  ],
  memory: 32_768,
  cpu_usage: 1,
  memory_usage: 4_096,
  mempages: [{ size_kb: 4, total: 8_388_608, used: 0, reserved: 0 }],
  physnets: ['physnet1'],
  tunneled: true,
};

describe('the topology of a host', () => {
  it('is parsed from its wire format', async () => {
    const { socket, siblings, cpuset, physnets, tunneled, mempages } = CELL;
    const [{ size_kb: sizeKb, total, used, reserved } = { size_kb: 0, total: 0, used: 0, reserved: 0 }] = mempages;
    expect((await topologyOf({ cells: [CELL] }))?.cells).toEqual([
      {
        id: 0,
        socket,
        siblings,
        cpuset,
        physnets,
        tunneled,
        pcpuset: [4, 5, 6, 7],
        pinnedCpus: [4],
        memoryMb: 32_768,
        memoryUsageMb: 4_096,
        cpuUsage: 1,
        mempages: [{ sizeKb, total, used, reserved }],
      },
    ]);
  });

  it('requires only ids and memory', async () =>
    expect((await topologyOf({ cells: [{ id: 1, memory: 5 }] }))?.cells[0]).toEqual({
      id: 1,
      socket: null,
      cpuset: [],
      pcpuset: [],
      pinnedCpus: [],
      siblings: [],
      memoryMb: 5,
      cpuUsage: 0,
      memoryUsageMb: 0,
      mempages: [],
      physnets: [],
      tunneled: false,
    }));

  it.each([[null], [undefined], [{ cells: [] }]])('can be absent: %j', async (value) =>
    expect(await topologyOf(value)).toBeNull(),
  );
});

describe('an invalid topology', () => {
  const AT = 'numa_topology.cells.0';
  it.each<[string, unknown, string]>([
    ['cells are a list', {}, "'numa_topology.cells' is not of type array"],
    ['a cell is an object', [3], "'numa_topology.cells.0' is not of type object"],
    ['unknown fields are refused', [{ ...CELL, memry: 1 }], `'${AT}' has the unknown property 'memry'`],
    ['memory is needed', [{ id: 0 }], `'${AT}' lacks the required property 'memory'`],
    ['memory is not negative', [{ ...CELL, memory: -1 }], `'${AT}.memory' must be >= 0`],
    ['memory may be none', [{ ...CELL, memory: 0 }], 'fine'],
    ['memory is bounded', [{ ...CELL, memory: 2 ** 31 }], `'${AT}.memory' must be <= 2147483647`],
    ['memory is whole', [{ ...CELL, memory: 1.5 }], `'${AT}.memory' is not of type integer`],
    ['a CPU is a number', [{ ...CELL, pcpuset: ['4'] }], `'${AT}.pcpuset.0' is not of type integer`],
    ['a CPU stands once', [{ ...CELL, cpuset: [1, 1] }], `'${AT}.cpuset' has the same entry twice`],
    ['a CPU may be in both sets', [{ ...CELL, cpuset: [4, 5, 6, 7] }], 'fine'],
    [
      'a CPU has one cell',
      [CELL, { id: 1, memory: 1, cpuset: [7] }],
      "'numa_topology.cells.1' has CPU 7, as cell 0 has",
    ],
    ['ids differ', [CELL, { id: 0, memory: 1 }], "'numa_topology.cells.1.id' is 0, which another cell has"],
    [
      'a thread has one core',
      [{ ...CELL, siblings: [[4, 5], [5]] }],
      `'${AT}.siblings' names CPU 5 as a thread of two cores`,
    ],
    [
      'a page size stands once',
      [{ ...CELL, mempages: [...CELL.mempages, ...CELL.mempages] }],
      `'${AT}.mempages' names pages of 4 KiB twice`,
    ],
    [
      'pages have a size',
      [{ ...CELL, mempages: [{ size_kb: 0, total: 1 }] }],
      `'${AT}.mempages.0.size_kb' must be >= 1`,
    ],
    ['pages may be many', [{ ...CELL, mempages: [{ size_kb: 4, total: 2 ** 40 }] }], 'fine'],
    [
      'pages are bounded',
      [{ ...CELL, mempages: [{ size_kb: 4, total: 2 ** 40 + 1 }] }],
      `'${AT}.mempages.0.total' must be <=`,
    ],
    ['networks have names', [{ ...CELL, physnets: [''] }], `'${AT}.physnets.0' must have at least 1 characters`],
    ['true is true', [{ ...CELL, tunneled: 1 }], `'${AT}.tunneled' is not of type boolean`],
    ['a socket may be unknown', [{ ...CELL, socket: null }], 'fine'],
    ['as many cells as allowed', numbers(NUMA_CELLS_MAX).map((id) => ({ id, memory: 1 })), 'fine'],
    [
      'and no more',
      numbers(NUMA_CELLS_MAX + 1).map((id) => ({ id, memory: 1 })),
      `'numa_topology.cells' must have at most ${NUMA_CELLS_MAX} entries`,
    ],
  ])('%s', async (_, cells, expected) => expect(await outcome({ numa_topology: { cells } })).toContain(expected));
});

const POOL = {
  vendor_id: '8086',
  product_id: '1572',
  dev_type: 'type-PF',
  numa_node: 0,
  count: 2,
  tags: { physical_network: 'physnet1' },
};

describe('PCI pools of a host', () => {
  it('are parsed from their wire format', async () => {
    expect(await poolsOf([POOL])).toEqual([
      {
        vendorId: '8086',
        productId: '1572',
        devType: 'type-PF',
        numaNode: 0,
        count: 2,
        tags: { physical_network: 'physnet1' },
      },
    ]);
  });

  it('can be unknown, or none', async () => {
    expect(await poolsOf(null)).toBeNull();
    expect(await poolsOf(undefined)).toBeNull();
    expect(await poolsOf([])).toEqual([]);
  });

  it('are merged if their attributes are equal', async () => {
    const pools = await poolsOf([POOL, { ...POOL, numa_node: null }, { ...POOL, count: 3 }]);
    expect(pools?.map(({ numaNode, count }) => [numaNode, count])).toEqual([
      [0, 5],
      [null, 2],
    ]);
  });

  it('convert boolean tags to text', async () =>
    expect((await poolsOf([{ ...POOL, tags: { remote_managed: true } }]))?.[0]?.tags).toEqual({
      remote_managed: 'true',
    }));

  const AT = 'pci_device_pools.0';
  it.each<[string, unknown, string]>([
    ['no list', {}, "'pci_device_pools' is not of type array"],
    ['an unknown field', [{ ...POOL, vendor: 'x' }], `'${AT}' has the unknown property 'vendor'`],
    ['no vendor', [{ ...POOL, vendor_id: '' }], `'${AT}.vendor_id' must have at least 1 characters`],
    ['no type', [{ ...POOL, dev_type: 'PF' }], `'${AT}.dev_type' must be one of`],
    ['no count', [{ ...POOL, count: undefined }], `'${AT}' lacks the required property 'count'`],
    ['a negative count', [{ ...POOL, count: -1 }], `'${AT}.count' must be >= 0`],
    ['a node', [{ ...POOL, numa_node: -1 }], `'${AT}.numa_node' must be >= 0`],
    ['tags', [{ ...POOL, tags: { a: 1 } }], `'${AT}.tags.a' is not of type string,boolean`],
  ])('are refused with their path: %s', async (_, value, expected) =>
    expect(await outcome({ pci_device_pools: value })).toContain(expected),
  );
});
