import { validDocument } from '../../platform/http/dto-body.decorator';
import { instanceTopology, numbers } from '../../scheduling-rules/numa/numa.fixture';
import { parsePciAliases } from '../../scheduling-rules/pci/alias';
import { requestSpec } from '../../scheduling-rules/pipeline/pipeline.fixture';
import type { InstanceNumaTopology } from '../../scheduling-rules/request-spec/numa-topology';
import { NUMA_CELLS_MAX } from '../../scheduling-rules/request-spec/numa-topology';
import type { PciRequest } from '../../scheduling-rules/request-spec/pci-pool';
import { PCI_DEVICES_MAX } from '../../scheduling-rules/request/derive-pci-requests';
import { instanceTopologyDocument, numaTopologyOf, pciRequestDocument, pciRequestsOf } from './numa-and-pci';
import { SelectDestinationsDto } from './request.schema';

const BODY = { num_instances: 1, flavor: { vcpus: 1, memory_mb: 1 }, project_id: 'p', user_id: 'u' };
const { flavor } = requestSpec();
const PREFERRED = { ...flavor, extraSpecs: { 'hw:pci_numa_affinity_policy': 'preferred' } };
const NIC = { vendor_id: '8086', product_id: '1572' };
const GPU = { vendor_id: '10de', product_id: '1db4' };
const ALIASES = parsePciAliases(
  [JSON.stringify({ name: 'nic', ...NIC }), JSON.stringify({ name: 'gpu', ...GPU, numa_policy: 'required' })],
  { inPlacement: false },
);

const topologyOf = async (document: unknown): Promise<InstanceNumaTopology | null> => {
  const body = await validDocument(SelectDestinationsDto, { ...BODY, numa_topology: document });
  return numaTopologyOf(body, { flavor, image: null });
};
const requestsOf = async (document: unknown): Promise<readonly PciRequest[]> => {
  const body = await validDocument(SelectDestinationsDto, { ...BODY, pci_requests: document });
  return pciRequestsOf(body, { flavor: PREFERRED, image: null }, ALIASES);
};

/** The result, or the message of the refusal. */
const outcome = async (read: () => Promise<unknown>): Promise<unknown> => {
  try {
    return await read();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
};

const SHARED = { cpuset: [0, 1], memory: 1024 };
const DEDICATED = {
  pcpuset: [2, 3],
  memory: 512,
  cpu_policy: 'dedicated',
  cpu_thread_policy: 'require',
  pagesize: '2MB',
};

describe('NUMA cells in the request', () => {
  it('are read with defaults filled in', async () => {
    expect(await topologyOf({ cells: [SHARED] })).toEqual(instanceTopology({ cpus: [0, 1], memoryMb: 1024 }));
    expect(await topologyOf({ cells: [DEDICATED], emulator_threads_policy: 'isolate' })).toEqual({
      ...instanceTopology({
        cpus: [],
        pcpus: [2, 3],
        memoryMb: 512,
        cpuPolicy: 'dedicated',
        cpuThreadPolicy: 'require',
        pageSize: 2048,
      }),
      emulatorThreadsIsolated: true,
    });
  });

  it('are presented in a form that can be read again', async () => {
    const topology = await topologyOf({ cells: [{ ...DEDICATED, id: 3 }], emulator_threads_policy: 'share' });
    expect(topology && (await topologyOf(instanceTopologyDocument(topology)))).toEqual(topology);
  });

  it('can be none', async () => expect(await topologyOf(null)).toBeNull());

  it.each<[string, readonly object[], unknown]>([
    ['only shared CPUs', [SHARED], [null]],
    ['only dedicated CPUs', [{ pcpuset: [0], memory: 1 }], ['dedicated']],
    ['both', [{ cpuset: [0], pcpuset: [1], memory: 1 }], ['mixed']],
    ['both, in different cells', [SHARED, { pcpuset: [2], memory: 1 }], ['mixed', 'mixed']],
    ['what is said', [SHARED, { ...DEDICATED }], ['mixed', 'dedicated']],
  ])('have the policy of their vCPUs: %s', async (_, cells, expected) =>
    expect((await topologyOf({ cells }))?.cells.map(({ cpuPolicy }) => cpuPolicy)).toEqual(expected),
  );

  const AT = 'numa_topology.cells.0';
  it.each<[string, unknown, string]>([
    ['no cell', { cells: [] }, "'numa_topology.cells' names no cell; null asks for none"],
    ['a text', 'none', "'numa_topology' must be 'auto', null or an object"],
    ['an unknown field', { cells: [SHARED], x: 1 }, "'numa_topology' has the unknown property 'x'"],
    ['an unknown field of a cell', { cells: [{ ...SHARED, cpus: [1] }] }, `'${AT}' has the unknown property 'cpus'`],
    ['no CPU', { cells: [{ memory: 1 }] }, `'${AT}.cpuset' must name a CPU, unless pcpuset does`],
    ['no memory', { cells: [{ ...SHARED, memory: 0 }] }, `'${AT}.memory' must be >= 1`],
    ['a CPU twice', { cells: [{ ...SHARED, pcpuset: [1] }] }, `'${AT}' names CPU 1 twice`],
    ['a CPU in two cells', { cells: [SHARED, SHARED] }, "'numa_topology.cells.1' names CPU 0 twice"],
    [
      'an id twice',
      { cells: [{ ...SHARED, id: 1 }, { ...DEDICATED }] },
      "'numa_topology.cells.1.id' is 1, which another cell has",
    ],
    ['a page size', { cells: [{ ...SHARED, pagesize: 'huge' }] }, `'${AT}.pagesize' must be small, large, any`],
    ['a page size of nothing', { cells: [{ ...SHARED, pagesize: 0 }] }, `'${AT}.pagesize' must be small`],
    ['a policy', { cells: [{ ...SHARED, cpu_policy: 'x' }] }, `'${AT}.cpu_policy' must be one of`],
    ['shared CPUs', { cells: [{ ...SHARED, cpu_policy: 'dedicated' }] }, `'${AT}.cpuset' holds shared CPUs`],
    ['dedicated CPUs', { cells: [{ ...DEDICATED, cpu_policy: 'shared' }] }, `'${AT}.pcpuset' holds dedicated CPUs`],
    [
      'an emulator’s CPU without dedicated ones',
      { cells: [SHARED], emulator_threads_policy: 'isolate' },
      "'numa_topology.emulator_threads_policy' is 'isolate', which needs the CPU policy dedicated or mixed",
    ],
    [
      'too many cells',
      { cells: numbers(NUMA_CELLS_MAX + 1).map((cpu) => ({ cpuset: [cpu], memory: 1 })) },
      `'numa_topology.cells' must have at most ${NUMA_CELLS_MAX} entries`,
    ],
  ])('are refused with their path: %s', async (_, document, expected) =>
    expect(await outcome(() => topologyOf(document))).toContain(expected),
  );
});

describe('PCI requests in the request', () => {
  it('are none with null', async () => expect(await requestsOf(null)).toEqual([]));

  it('name kinds of devices and their own policy', async () =>
    expect(
      await requestsOf([{ request_id: 'r', count: 2, spec: [{ vendor_id: '8086' }], numa_policy: 'socket' }]),
    ).toEqual([
      { requestId: 'r', aliasName: null, count: 2, alternatives: [{ vendor_id: '8086' }], numaPolicy: 'socket' },
    ]));

  it('or an alias; the policy of flavor and image has precedence over that of the alias', async () =>
    expect(await requestsOf([{ alias_name: 'nic' }, { alias_name: 'gpu' }])).toEqual([
      { requestId: null, aliasName: 'nic', count: 1, alternatives: [NIC], numaPolicy: 'preferred' },
      { requestId: null, aliasName: 'gpu', count: 1, alternatives: [GPU], numaPolicy: 'preferred' },
    ]));

  it('are presented in a form that can be read again', async () => {
    const requests = await requestsOf([{ alias_name: 'nic', count: 3 }]);
    expect(await requestsOf(requests.map(pciRequestDocument))).toEqual(requests);
  });

  const AT = 'pci_requests.0';
  it.each<[string, unknown, string]>([
    ['neither', { count: 1 }, `'${AT}.spec' must name the requested devices, unless alias_name does`],
    [
      'an unknown alias',
      { alias_name: 'x' },
      `'${AT}.alias_name' names the alias 'x', which [pci] alias does not have`,
    ],
    ['no device', { alias_name: 'nic', count: 0 }, `'${AT}.count' must be >= 1`],
    ['devices', { count: PCI_DEVICES_MAX + 1 }, `'${AT}.count' must be <= ${PCI_DEVICES_MAX}`],
    ['a policy', { alias_name: 'nic', numa_policy: 'x' }, `'${AT}.numa_policy' must be one of`],
    ['an unknown field', { alias_name: 'nic', policy: 'x' }, `'${AT}' has the unknown property 'policy'`],
    ['no texts', { spec: [{ vendor_id: 1 }] }, `'${AT}.spec.0.vendor_id' is not of type string,boolean`],
    ['no object', { spec: ['x'] }, `'${AT}.spec.0' is not of type object`],
  ])('are refused with their path: %s', async (_, item, expected) =>
    expect(await outcome(() => requestsOf([item]))).toContain(expected),
  );
});
