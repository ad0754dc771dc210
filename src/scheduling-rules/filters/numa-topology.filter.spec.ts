import type { Candidate, RejectionParams } from '../../placement/candidate-search';
import { runToCompletion } from '../../platform/values/task';
import { NUMA_ASSIGNMENTS_MAX } from '../numa/fit';
import { hostTopology, instanceTopology, numbers, pinnedCell } from '../numa/numa.fixture';
import { bind } from '../pipeline/bind';
import { hostState, requestSpec, TEST_ENVIRONMENT } from '../pipeline/pipeline.fixture';
import { filterTable } from '../pipeline/rule-table.fixture';
import { filterTask } from '../pipeline/run-filters';
import type { HostNumaTopology, InstanceNumaCell, InstanceNumaTopology } from '../request-spec/numa-topology';
import { NUMA_CELLS_MAX } from '../request-spec/numa-topology';
import type { PciPool, PciRequest } from '../request-spec/pci-pool';
import type { Flavor } from '../request-spec/request-spec';
import { numaTopologyFilter } from './numa-topology.filter';

const candidate = (mappings: Candidate['mappings'] = {}): Candidate => ({ rootUuid: 'h', allocations: {}, mappings });
const CANDIDATES = { candidates: [candidate()] };
const flavor = (extraSpecs: Flavor['extraSpecs']): { readonly flavor: Flavor } => ({
  flavor: { ...requestSpec().flavor, extraSpecs },
});
const pool = (numaNode: number | null, count: number, rp = 'A'): PciPool => ({
  vendorId: '8086',
  productId: '1572',
  devType: 'type-PCI',
  numaNode,
  count,
  tags: { rp_uuid: rp },
});
const nic: PciRequest = { requestId: 'r', aliasName: 'nic', count: 1, alternatives: [{}], numaPolicy: 'required' };
const isolatedEmulator = (...cells: readonly Partial<InstanceNumaCell>[]): InstanceNumaTopology => ({
  ...instanceTopology(...cells),
  emulatorThreadsIsolated: true,
});
const page = (sizeKb: number, total: number) => ({ sizeKb, total, used: 0, reserved: 0 });

const more = (asked: string, available: string) => (params: RejectionParams) =>
  Number(params[asked]) > Number(params[available]);
const beyondLimit = ({ used, asked, limit }: RejectionParams): boolean => Number(used) + Number(asked) > Number(limit);
const isWithout = (one: unknown, other: unknown): boolean =>
  Array.isArray(one) && Array.isArray(other) && other.length > 0 && !one.some((item) => other.includes(item));

/** The page sizes of a cell that the requested page size allows. */
function allowed({ page_size: asked, sizes }: RejectionParams): readonly string[] {
  const has = [...(sizes as readonly string[])].sort((one, other) => Number(one) - Number(other));
  if (asked === 'small') return has.slice(0, 1);
  if (asked === 'large') return has.slice(1);
  return asked === 'any' ? has : has.filter((size) => size === asked);
}

describe('NUMATopologyFilter', () => {
  filterTable(numaTopologyFilter, {
    reproduces: {
      no_threads: { rejects: ({ threads }) => Number(threads) < 2, unless: { threads: 2 } },
      no_numa_data: { rejects: ({ asked }) => Number(asked) > 0, unless: { asked: 0 } },
      no_candidates: { rejects: ({ candidates }) => candidates === 0, unless: { candidates: 1 } },
      too_few_cells: { rejects: more('asked', 'cells'), unless: { asked: 2, cells: 2 } },
      too_many_cells: { rejects: more('cells', 'limit'), unless: { cells: 48, limit: 48 } },
      too_many_assignments: {
        rejects: ({ tried, limit }) => Number(tried) >= Number(limit),
        unless: { tried: 4, limit: 5 },
      },
      page_size_missing: {
        rejects: (params) => allowed(params).length === 0,
        unless: { page_size: 'large', sizes: ['2048', '4'] },
      },
      page_multiple: {
        rejects: ({ asked, size_kb }) => (Number(asked) * 1024) % Number(size_kb) !== 0,
        unless: { asked: 4, size_kb: 2048 },
      },
      too_few_pages: { rejects: more('asked', 'available'), unless: { asked: 3, available: 3 } },
      cell_memory: { rejects: more('asked', 'available'), unless: { asked: 3, available: 3 } },
      dedicated_total: { rejects: more('asked', 'total'), unless: { asked: 3, total: 3 } },
      shared_total: { rejects: more('asked', 'total'), unless: { asked: 3, total: 3 } },
      dedicated_free: { rejects: more('asked', 'free'), unless: { asked: 3, free: 3 } },
      isolate_two_sets: {
        rejects: ({ shared, dedicated, common }) => !(shared === common && dedicated === common),
        unless: { shared: 4, dedicated: 4, common: 4 },
      },
      thread_policy: { rejects: more('asked', 'packable'), unless: { asked: 2, packable: 2 } },
      emulator_core: { rejects: more('asked', 'cores'), unless: { asked: 2, cores: 2 } },
      no_dedicated_cpus: { rejects: ({ dedicated }) => dedicated === 0, unless: { dedicated: 1 } },
      cpu_limit: { rejects: beyondLimit, unless: { used: 3, asked: 1, limit: 4 } },
      memory_limit: { rejects: beyondLimit, unless: { used: 3, asked: 1, limit: 4 } },
      pinned_memory: { rejects: more('asked', 'available'), unless: { asked: 3, available: 3 } },
      pci_devices: { rejects: more('asked', 'free'), unless: { asked: 1, free: 1 } },
      network_affinity: {
        rejects: ({ cells, attached }) => isWithout(cells, attached),
        unless: { cells: ['0', '1'], attached: ['1'] },
      },
    },
    rows: [
      {
        rule: 'no topology asked for: any host; one asked for: a host with NUMA data',
        host: CANDIDATES,
        verdict: { passed: true, limits: {} },
        flip: {
          spec: { numaTopology: instanceTopology({}, {}) },
          verdict: { code: 'no_numa_data', params: { asked: 2 } },
        },
      },
      {
        rule: 'a fit leaves the ratios as limits',
        host: { ...CANDIDATES, numaTopology: hostTopology({}), cpuAllocationRatio: 4, ramAllocationRatio: 1.5 },
        spec: { numaTopology: instanceTopology({}) },
        verdict: { passed: true, limits: { numa: { cpuAllocationRatio: 4, ramAllocationRatio: 1.5 } } },
        flip: { host: { candidates: [] }, verdict: { code: 'no_candidates', params: { candidates: 0 } } },
      },
      {
        rule: 'and the networks; a network attached elsewhere is out of reach',
        host: { ...CANDIDATES, numaTopology: hostTopology({}, { cpuUsage: 4, physnets: ['a'] }) },
        spec: { numaTopology: instanceTopology({}), networkMetadata: { physnets: ['b'], tunneled: false } },
        verdict: {
          passed: true,
          limits: {
            numa: { cpuAllocationRatio: 1, ramAllocationRatio: 1, network: { physnets: ['b'], tunneled: false } },
          },
        },
        flip: {
          spec: { networkMetadata: { physnets: ['a'], tunneled: false } },
          verdict: { code: 'network_affinity', params: { network: 'a', attached: ['1'], cells: ['0'] } },
        },
      },
      {
        rule: 'dedicated CPUs with thread policy require need a host with threads, with or without a topology',
        host: { ...CANDIDATES, numaTopology: hostTopology({ siblings: [[4], [5], [6], [7]] }, {}) },
        spec: flavor({ 'hw:cpu_policy': 'dedicated', 'hw:cpu_thread_policy': 'require' }),
        verdict: 'pass',
        flip: {
          host: { numaTopology: hostTopology({ siblings: [[4], [5], [6], [7]] }) },
          verdict: { code: 'no_threads', params: { threads: 1 } },
        },
      },
      {
        rule: 'the same by the image',
        host: { ...CANDIDATES, numaTopology: hostTopology({ siblings: [] }) },
        spec: {
          image: {
            id: null,
            name: null,
            diskFormat: null,
            properties: { hw_cpu_policy: 'dedicated', hw_cpu_thread_policy: 'require' },
          },
        },
        verdict: { code: 'no_threads', params: { threads: 1 } },
        flip: { host: { numaTopology: null }, verdict: 'pass' },
      },
      {
        rule: 'require of the image counts next to prefer of the flavor',
        host: { ...CANDIDATES, numaTopology: hostTopology({ siblings: [] }) },
        spec: {
          ...flavor({ 'hw:cpu_policy': 'dedicated', 'hw:cpu_thread_policy': 'prefer' }),
          image: { id: null, name: null, diskFormat: null, properties: { hw_cpu_thread_policy: 'require' } },
        },
        verdict: { code: 'no_threads', params: { threads: 1 } },
        flip: { spec: { image: null }, verdict: 'pass' },
      },
      {
        rule: 'thread policy require of shared CPUs needs none',
        host: { ...CANDIDATES, numaTopology: hostTopology({ siblings: [] }) },
        spec: flavor({ 'hw:cpu_thread_policy': 'require' }),
        verdict: 'pass',
        flip: {
          spec: flavor({ 'hw:cpu_policy': 'dedicated', 'hw:cpu_thread_policy': 'require' }),
          verdict: { code: 'no_threads', params: { threads: 1 } },
        },
      },
      {
        rule: 'as many cells as the host has, not one more',
        host: { ...CANDIDATES, numaTopology: hostTopology({}, {}) },
        spec: { numaTopology: instanceTopology({}, {}) },
        verdict: 'pass',
        flip: {
          spec: { numaTopology: instanceTopology({}, {}, {}) },
          verdict: { code: 'too_few_cells', params: { asked: 3, cells: 2 } },
        },
      },
      {
        rule: 'a bounded number of host cells',
        host: { ...CANDIDATES, numaTopology: hostTopology(...numbers(NUMA_CELLS_MAX).map(() => ({}))) },
        spec: { numaTopology: instanceTopology({}) },
        verdict: 'pass',
        flip: {
          host: { numaTopology: hostTopology(...numbers(NUMA_CELLS_MAX + 1).map(() => ({}))) },
          verdict: { code: 'too_many_cells', params: { cells: NUMA_CELLS_MAX + 1, limit: NUMA_CELLS_MAX } },
        },
      },
      {
        rule: 'a bounded number of ways to place the cells',
        host: { ...CANDIDATES, numaTopology: hostTopology(...numbers(32).map(() => ({}))) },
        spec: { numaTopology: instanceTopology(...numbers(16).map(() => ({}))) },
        verdict: 'pass',
        flip: {
          spec: {
            numaTopology: instanceTopology(...numbers(16).map((at) => (at === 15 ? { memoryMb: 5000 } : {}))),
          },
          verdict: {
            code: 'too_many_assignments',
            params: { tried: NUMA_ASSIGNMENTS_MAX, limit: NUMA_ASSIGNMENTS_MAX },
          },
        },
      },
      {
        rule: 'a page size the cell has',
        host: { ...CANDIDATES, numaTopology: hostTopology({ mempages: [page(4, 1_000_000), page(2048, 512)] }) },
        spec: { numaTopology: instanceTopology({ pageSize: 'large' }) },
        verdict: 'pass',
        flip: {
          host: { numaTopology: hostTopology({ mempages: [page(4, 1_000_000)] }) },
          verdict: { code: 'page_size_missing', params: { cell: 0, page_size: 'large', sizes: ['4'] } },
        },
      },
      {
        rule: 'a whole number of pages',
        host: { ...CANDIDATES, numaTopology: hostTopology({ mempages: [page(2048, 2048)] }) },
        spec: { numaTopology: instanceTopology({ pageSize: 2048, memoryMb: 1024 }) },
        verdict: 'pass',
        flip: {
          spec: { numaTopology: instanceTopology({ pageSize: 2048, memoryMb: 1023 }) },
          verdict: { code: 'page_multiple', params: { cell: 0, instance_cell: 0, asked: 1023, size_kb: 2048 } },
        },
      },
      {
        rule: 'enough free pages',
        host: { ...CANDIDATES, numaTopology: hostTopology({ mempages: [page(2048, 512)] }) },
        spec: { numaTopology: instanceTopology({ pageSize: 2048, memoryMb: 1024 }) },
        verdict: 'pass',
        flip: {
          host: { numaTopology: hostTopology({ mempages: [page(2048, 511)] }) },
          verdict: {
            code: 'too_few_pages',
            params: { cell: 0, instance_cell: 0, size_kb: 2048, asked: 512, available: 511 },
          },
        },
      },
      {
        rule: 'no more memory than the cell has, whatever the ratio',
        host: { ...CANDIDATES, numaTopology: hostTopology({}), ramAllocationRatio: 2 },
        spec: { numaTopology: instanceTopology({ memoryMb: 4096 }) },
        verdict: 'pass',
        flip: {
          spec: { numaTopology: instanceTopology({ memoryMb: 4097 }) },
          verdict: { code: 'cell_memory', params: { cell: 0, instance_cell: 0, asked: 4097, available: 4096 } },
        },
      },
      {
        rule: 'no more dedicated CPUs than the cell has',
        host: { ...CANDIDATES, numaTopology: hostTopology({}) },
        spec: { numaTopology: instanceTopology(pinnedCell(4)) },
        verdict: 'pass',
        flip: {
          spec: { numaTopology: instanceTopology(pinnedCell(5)) },
          verdict: { code: 'dedicated_total', params: { cell: 0, instance_cell: 0, asked: 5, total: 4 } },
        },
      },
      {
        rule: 'no more shared CPUs than the cell has, whatever the ratio',
        host: { ...CANDIDATES, numaTopology: hostTopology({}), cpuAllocationRatio: 2 },
        spec: { numaTopology: instanceTopology({ cpus: numbers(4) }) },
        verdict: 'pass',
        flip: {
          spec: { numaTopology: instanceTopology({ cpus: numbers(5) }) },
          verdict: { code: 'shared_total', params: { cell: 0, instance_cell: 0, asked: 5, total: 4 } },
        },
      },
      {
        rule: 'dedicated CPUs without a pinned instance',
        host: { ...CANDIDATES, numaTopology: hostTopology({ pinnedCpus: [4, 5] }) },
        spec: { numaTopology: instanceTopology(pinnedCell(2)) },
        verdict: 'pass',
        flip: {
          spec: { numaTopology: instanceTopology(pinnedCell(3)) },
          verdict: { code: 'dedicated_free', params: { cell: 0, instance_cell: 0, asked: 3, free: 2 } },
        },
      },
      {
        rule: 'isolate needs one set of CPUs for both uses',
        host: { ...CANDIDATES, numaTopology: hostTopology({ cpuset: [4, 5, 6, 7] }) },
        spec: { numaTopology: instanceTopology(pinnedCell(2, { cpuThreadPolicy: 'isolate' })) },
        verdict: 'pass',
        flip: {
          host: { numaTopology: hostTopology({ cpuset: [4, 5] }) },
          verdict: {
            code: 'isolate_two_sets',
            params: { cell: 0, instance_cell: 0, shared: 2, dedicated: 4, common: 2 },
          },
        },
      },
      {
        rule: 'isolate takes whole cores',
        host: { ...CANDIDATES, numaTopology: hostTopology({ cpuset: [4, 5, 6, 7] }) },
        spec: { numaTopology: instanceTopology(pinnedCell(2, { cpuThreadPolicy: 'isolate' })) },
        verdict: 'pass',
        flip: {
          spec: { numaTopology: instanceTopology(pinnedCell(3, { cpuThreadPolicy: 'isolate' })) },
          verdict: {
            code: 'thread_policy',
            params: { cell: 0, instance_cell: 0, policy: 'isolate', asked: 3, packable: 2 },
          },
        },
      },
      {
        rule: "isolate leaves the emulator's threads any other core with a free thread",
        host: { ...CANDIDATES, numaTopology: hostTopology({ cpuset: [4, 5, 6, 7], pinnedCpus: [7] }) },
        spec: { numaTopology: isolatedEmulator(pinnedCell(1, { cpuThreadPolicy: 'isolate' })) },
        verdict: 'pass',
        flip: {
          host: { numaTopology: hostTopology({ cpuset: [4, 5, 6, 7], pinnedCpus: [] }) },
          spec: { numaTopology: isolatedEmulator(pinnedCell(2, { cpuThreadPolicy: 'isolate' })) },
          verdict: { code: 'emulator_core', params: { cell: 0, instance_cell: 0, asked: 3, cores: 2 } },
        },
      },
      {
        rule: 'a mixed cell without dedicated CPUs fits nowhere with require; without a thread policy it does',
        host: { ...CANDIDATES, numaTopology: hostTopology({}) },
        spec: { numaTopology: instanceTopology({ cpuPolicy: 'mixed' }) },
        verdict: 'pass',
        flip: {
          spec: { numaTopology: instanceTopology({ cpuPolicy: 'mixed', cpuThreadPolicy: 'require' }) },
          verdict: {
            code: 'no_dedicated_cpus',
            params: { instance_cell: 0, dedicated: 0, wish: "the thread policy 'require'" },
          },
        },
      },
      {
        rule: "the emulator's threads need a dedicated CPU in the first cell",
        host: { ...CANDIDATES, numaTopology: hostTopology({}, {}) },
        spec: { numaTopology: isolatedEmulator({ cpuPolicy: 'mixed' }, pinnedCell(1, { cpuPolicy: 'mixed' })) },
        verdict: {
          code: 'no_dedicated_cpus',
          params: { instance_cell: 0, dedicated: 0, wish: "'hw:emulator_threads_policy=isolate'" },
        },
        flip: {
          spec: { numaTopology: isolatedEmulator(pinnedCell(1, { cpuPolicy: 'mixed' }), { cpuPolicy: 'mixed' }) },
          verdict: 'pass',
        },
      },
      {
        rule: 'shared CPUs up to the ratio, and the cell is charged by the members before',
        host: { ...CANDIDATES, numaTopology: hostTopology({ cpuUsage: 5 }), cpuAllocationRatio: 1.5 },
        spec: { numaTopology: instanceTopology({}) },
        verdict: 'pass',
        flip: {
          host: { numaTopology: hostTopology({ cpuUsage: 6 }) },
          verdict: { code: 'cpu_limit', params: { cell: 0, instance_cell: 0, asked: 1, used: 6, limit: 6 } },
        },
      },
      {
        rule: 'memory up to the ratio',
        host: { ...CANDIDATES, numaTopology: hostTopology({ memoryUsageMb: 5120 }), ramAllocationRatio: 1.5 },
        spec: { numaTopology: instanceTopology({}) },
        verdict: 'pass',
        flip: {
          host: { numaTopology: hostTopology({ memoryUsageMb: 5121 }) },
          verdict: {
            code: 'memory_limit',
            params: { cell: 0, instance_cell: 0, asked: 1024, used: 5121, limit: 6144 },
          },
        },
      },
      {
        rule: 'memory of pinned instances is not overcommitted',
        host: { ...CANDIDATES, numaTopology: hostTopology({ memoryUsageMb: 3072 }), ramAllocationRatio: 1.5 },
        spec: { numaTopology: instanceTopology(pinnedCell(1)) },
        verdict: 'pass',
        flip: {
          host: { numaTopology: hostTopology({ memoryUsageMb: 3073 }) },
          verdict: { code: 'pinned_memory', params: { cell: 0, instance_cell: 0, asked: 1024, available: 1023 } },
        },
      },
      {
        rule: 'PCI devices on the cells the instance would take',
        host: { ...CANDIDATES, numaTopology: hostTopology({}, { cpuUsage: 4 }), pciPools: [pool(0, 1)] },
        spec: { numaTopology: instanceTopology({}), pciRequests: [nic] },
        verdict: 'pass',
        flip: {
          host: { pciPools: [pool(1, 1), pool(null, 1)] },
          verdict: {
            code: 'pci_devices',
            params: { cells: ['0'], request: 'nic', policy: 'required', asked: 1, free: 0 },
          },
        },
      },
      {
        rule: 'candidates whose devices are too far are dropped',
        host: {
          candidates: [candidate({ 'r-0': ['A'] }), candidate({ 'r-0': ['B'] }), candidate()],
          numaTopology: hostTopology({}, { cpuUsage: 4 }),
          pciPools: [pool(1, 1, 'A'), pool(0, 1, 'B')],
        },
        spec: { numaTopology: instanceTopology({}), pciRequests: [nic] },
        verdict: { passed: true, candidates: [candidate({ 'r-0': ['B'] }), candidate()] },
        flip: {
          host: { candidates: [candidate({ 'r-0': ['A'] })] },
          verdict: {
            code: 'pci_devices',
            params: { cells: ['0'], request: 'nic', policy: 'required', asked: 1, free: 0 },
          },
        },
      },
    ],
  });

  it('is skipped if the request has neither cells nor threads', () => {
    expect(numaTopologyFilter.applies(requestSpec(), {})).toBe(false);
    expect(numaTopologyFilter.applies(requestSpec(flavor({ 'hw:cpu_policy': 'dedicated' })), {})).toBe(false);
    expect(numaTopologyFilter.applies(requestSpec({ numaTopology: instanceTopology({}) }), {})).toBe(true);
  });

  it('runs for every instance of a batch', () => expect(numaTopologyFilter.once).toBe(false));

  it('looks at the cells of a host as often as one fit does, however many candidates it has', () => {
    let looks = 0;
    const counted = (at: number): HostNumaTopology => {
      const topology = hostTopology({ cpuUsage: at % 5 }, { pinnedCpus: at % 2 === 0 ? [104] : [] });
      return {
        get cells() {
          looks += 1;
          return topology.cells;
        },
      };
    };
    const spec = requestSpec({ numaTopology: instanceTopology(pinnedCell(4), pinnedCell(4)), pciRequests: [nic] });
    const looksAt = (hosts: number, candidates: number): number => {
      looks = 0;
      const { survivors } = runToCompletion(
        filterTask({
          hosts: numbers(hosts).map((at) =>
            hostState({
              host: `h${at}`,
              candidates: numbers(candidates).map(() => candidate()),
              numaTopology: counted(at),
              pciPools: [pool(0, 1), pool(1, 2)],
            }),
          ),
          spec,
          filters: [bind(numaTopologyFilter, {})],
          index: 0,
          mode: 'first',
          env: TEST_ENVIRONMENT,
        }),
      );
      expect(survivors).toHaveLength(hosts / 2);
      return looks;
    };
    const once = looksAt(2, 1);
    expect(looksAt(2, 100)).toBe(once);
    expect(looksAt(1_000, 1)).toBe(500 * once);
    expect(once).toBeLessThan(20);
  });
});
