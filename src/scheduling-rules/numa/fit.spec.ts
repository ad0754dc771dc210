import type { HostNumaCell, InstanceNumaTopology } from '../request-spec/numa-topology';
import { NUMA_CELLS_MAX } from '../request-spec/numa-topology';
import type { PciPool, PciRequest } from '../request-spec/pci-pool';
import type { NumaFit, NumaHost, NumaTerms } from './fit';
import { NUMA_ASSIGNMENTS_MAX } from './fit';
import { fitNumaTopology } from './fit';
import { hostTopology, instanceTopology, numbers, pinnedCell } from './numa.fixture';

const NO_TERMS: NumaTerms = { packing: false, pciRequests: [], mappings: {}, network: null };

const host = (cells: readonly Partial<HostNumaCell>[], given: Partial<NumaHost> = {}): NumaHost => ({
  topology: hostTopology(...cells),
  cpuAllocationRatio: 1,
  ramAllocationRatio: 1,
  pciPools: null,
  ...given,
});

const fit = (asked: InstanceNumaTopology, on: NumaHost, terms: Partial<NumaTerms> = {}): NumaFit =>
  fitNumaTopology(asked, on, { ...NO_TERMS, ...terms });

/** Ids of the host cells in the order of the instance's cells, or the failure. */
const places = (answer: NumaFit): unknown =>
  answer.fits ? answer.fitted.cells.map(({ hostCell }) => hostCell) : answer.failure;

const pool = (numaNode: number | null, count: number): PciPool => ({
  vendorId: '8086',
  productId: '1572',
  devType: 'type-PCI',
  numaNode,
  count,
  tags: {},
});
const request = (count: number, numaPolicy: PciRequest['numaPolicy'] = 'required'): PciRequest => ({
  requestId: null,
  aliasName: 'nic',
  count,
  alternatives: [{ vendor_id: '8086' }],
  numaPolicy,
});

describe('the number of cells', () => {
  it('can be all of the host', () => expect(places(fit(instanceTopology({}, {}), host([{}, {}])))).toEqual([0, 1]));

  it('cannot be more', () =>
    expect(places(fit(instanceTopology({}, {}), host([{}])))).toEqual({
      code: 'too_few_cells',
      params: { asked: 2, cells: 1 },
    }));

  it('of a host is bounded', () => {
    const cells = (count: number): NumaHost => host(numbers(count).map(() => ({})));
    expect(places(fit(instanceTopology({}), cells(NUMA_CELLS_MAX)))).toEqual([0]);
    expect(places(fit(instanceTopology({}), cells(NUMA_CELLS_MAX + 1)))).toEqual({
      code: 'too_many_cells',
      params: { cells: NUMA_CELLS_MAX + 1, limit: NUMA_CELLS_MAX },
    });
  });
});

describe('the order of cells', () => {
  const ONE = instanceTopology({ memoryMb: 512 });
  const PINNED = instanceTopology(pinnedCell(1, { memoryMb: 512 }));

  it.each<[string, InstanceNumaTopology, readonly Partial<HostNumaCell>[], number, number]>([
    ['is that of the host among equals', ONE, [{}, {}], 0, 0],
    ['goes by free memory', ONE, [{ memoryUsageMb: 2 }, { memoryUsageMb: 1 }], 1, 0],
    ['not by memory', ONE, [{ memoryMb: 8192, memoryUsageMb: 7000 }, {}], 1, 0],
    ['goes by usage of shared CPUs first', ONE, [{ cpuUsage: 1 }, { memoryUsageMb: 1 }], 1, 0],
    ['goes by free dedicated CPUs first', PINNED, [{ pinnedCpus: [4] }, { memoryUsageMb: 1 }], 1, 0],
    ['ignores shared CPUs of pinned instances', PINNED, [{ cpuUsage: 3 }, { memoryUsageMb: 1 }], 0, 1],
  ])('%s', (_, asked, cells, emptiest, fullest) => {
    expect(places(fit(asked, host(cells)))).toEqual([emptiest]);
    expect(places(fit(asked, host(cells), { packing: true }))).toEqual([fullest]);
  });

  it.each<[string, readonly PciPool[] | null, readonly PciRequest[], number]>([
    ['nothing where the host has no PCI data', null, [], 0],
    ['cells with fewest devices', [pool(0, 1)], [], 1],
    ['cells with most devices where devices are asked for', [pool(0, 1), pool(1, 2)], [request(1)], 1],
    ['nothing where devices are nowhere', [pool(null, 9)], [], 0],
  ])('puts PCI before all: %s', (_, pciPools, pciRequests, expected) => {
    const cells = [{}, { cpuUsage: 1, memoryUsageMb: 1 }];
    expect(places(fit(ONE, host(cells, { pciPools }), { pciRequests }))).toEqual([expected]);
  });

  it('is that of the host if all cells are needed', () => {
    const asked = instanceTopology({}, {});
    expect(places(fit(asked, host([{ cpuUsage: 2 }, {}])))).toEqual([0, 1]);
  });

  it('is tried until one works', () => {
    const asked = instanceTopology({ memoryMb: 4096 }, { memoryMb: 1 });
    expect(places(fit(asked, host([{ memoryMb: 1024 }, { memoryMb: 4096 }])))).toEqual([1, 0]);
  });
});

describe('the emulator’s CPU', () => {
  it('is one of the first cell', () => {
    const asked = { ...instanceTopology(pinnedCell(2), pinnedCell(4)), emulatorThreadsIsolated: true };
    expect(places(fit(asked, host([{ pinnedCpus: [4] }, {}])))).toEqual([0, 1]);
    expect(places(fit({ ...asked, emulatorThreadsIsolated: false }, host([{ pinnedCpus: [4, 5] }, {}])))).toEqual([
      0, 1,
    ]);
    expect(places(fit(asked, host([{ pinnedCpus: [4, 5] }, {}])))).toMatchObject({ code: 'dedicated_free' });
  });
});

describe('the reported failure', () => {
  it('is the one that came furthest', () => {
    const asked = instanceTopology({}, { memoryMb: 2048 });
    const cells = [{ memoryMb: 1024 }, { memoryMb: 4096, memoryUsageMb: 2049 }];
    expect(places(fit(asked, host(cells)))).toEqual({
      code: 'memory_limit',
      params: { cell: 1, instance_cell: 1, asked: 2048, used: 2049, limit: 4096 },
    });
  });

  it('is that of the later rule if both cells fail', () => {
    const asked = instanceTopology({ memoryMb: 2048 });
    expect(places(fit(asked, host([{ memoryMb: 1024 }, { cpuUsage: 4 }])))).toMatchObject({ code: 'cpu_limit' });
    expect(places(fit(asked, host([{ cpuUsage: 4 }, { memoryMb: 1024 }])))).toMatchObject({ code: 'cpu_limit' });
  });
});

describe('PCI devices', () => {
  const ONE = instanceTopology({});
  const cells = [{ socket: 0 }, { socket: 0 }, { socket: 1 }];

  it('lead to the cell that has enough', () => {
    const on = host(cells, { pciPools: [pool(0, 5), pool(2, 2), pool(2, 1)] });
    expect(places(fit(ONE, on, { pciRequests: [request(3)] }))).toEqual([0]);
    const busy = host([{ ...cells[0], cpuUsage: 4 }, {}, {}], { pciPools: [pool(0, 5), pool(2, 2), pool(2, 1)] });
    expect(places(fit(ONE, busy, { pciRequests: [request(3)] }))).toEqual([2]);
    expect(places(fit(ONE, busy, { pciRequests: [request(4)] }))).toEqual({
      code: 'pci_devices',
      params: { cells: ['2'], request: 'nic', policy: 'required', asked: 4, free: 3 },
    });
  });

  it('come back as claims', () => {
    const answer = fit(ONE, host(cells, { pciPools: [pool(2, 2)] }), { pciRequests: [request(2)] });
    expect(answer).toMatchObject({ fits: true, pciClaims: [{ count: 2, pool: { numaNode: 2 } }] });
  });

  it('are not there on a host without PCI data', () =>
    expect(places(fit(ONE, host(cells), { pciRequests: [request(1)] }))).toMatchObject({ code: 'pci_devices' }));
});

describe('networks', () => {
  const network = (...physnets: readonly string[]): NumaTerms['network'] => ({ physnets, tunneled: false });

  it.each<[string, readonly Partial<HostNumaCell>[], NumaTerms['network'], unknown]>([
    ['without affinity are reached from anywhere', [{}, {}], network('a'), [0]],
    ['lead to their cell', [{}, { physnets: ['a'] }], network('a'), [1]],
    ['lead to the tunnel’s cell', [{}, { tunneled: true }], { physnets: [], tunneled: true }, [1]],
    ['that are not tunnelled do not', [{}, { tunneled: true }], { physnets: [], tunneled: false }, [0]],
    [
      'must all be reached',
      [{ physnets: ['a'] }, { physnets: ['b'] }],
      network('a', 'b'),
      { code: 'network_affinity', params: { network: 'b', attached: ['1'], cells: ['0'] } },
    ],
  ])('%s', (_, cells, asked, expected) => {
    expect(places(fit(instanceTopology({}), host(cells), { network: asked }))).toEqual(expected);
  });

  it('are reached from several cells together', () => {
    const on = host([{ physnets: ['a'] }, { physnets: ['b'] }]);
    expect(places(fit(instanceTopology({}, {}), on, { network: network('a', 'b') }))).toEqual([0, 1]);
  });
});

describe('the search', () => {
  /** Eight cells that fit any of eight instance cells except the last. */
  const EIGHT = numbers(8).map(() => ({}));

  it('stops early if no selection can fit', () => {
    const asked = instanceTopology(...numbers(8).map((at) => (at === 7 ? { memoryMb: 5000 } : {})));
    expect(places(fit(asked, host(EIGHT)))).toMatchObject({ code: 'cell_memory' });
  });

  it('gives up by name', () => {
    const asked = instanceTopology(...numbers(16).map((at) => (at === 15 ? { memoryMb: 5000 } : {})));
    const cells = numbers(32).map(() => ({}));
    expect(places(fit(asked, host(cells)))).toEqual({
      code: 'too_many_assignments',
      params: { tried: NUMA_ASSIGNMENTS_MAX, limit: NUMA_ASSIGNMENTS_MAX },
    });
  });
});
