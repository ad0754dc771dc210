import { validDocument } from '../../platform/http/dto-body.decorator';
import { canonicalReport, hostReportOf, problemOfReport } from './host-report';
import type { HostNumaCellDto } from './hosts.schema';
import { HostReportDto } from './hosts.schema';

const cells = (...list: readonly (Partial<HostNumaCellDto> & { readonly id: number })[]): HostReportDto => ({
  numa_topology: { cells: list.map((cell) => ({ memory: 1, ...cell })) },
});
const UUID = 'aaaaaaaa-0000-4000-8000-000000000001';

it.each<[string, HostReportDto, string | undefined]>([
  ['nothing', {}, undefined],
  ['cells apart', cells({ id: 0, cpuset: [0], pcpuset: [1] }, { id: 1, cpuset: [2] }), undefined],
  ['a CPU that is shared and dedicated in one cell', cells({ id: 0, cpuset: [0], pcpuset: [0] }), undefined],
  ['a pinned CPU of the cell', cells({ id: 0, pcpuset: [1], pinned_cpus: [1] }), undefined],
  ['two cells of one id', cells({ id: 0 }, { id: 0 }), 'numa_topology.cells.1.id'],
  ['a CPU in two cells', cells({ id: 0, cpuset: [1] }, { id: 1, pcpuset: [1] }), 'numa_topology.cells.1'],
  ['a pinned CPU of no cell', cells({ id: 0, pcpuset: [1], pinned_cpus: [2] }), 'numa_topology.cells.0.pinned_cpus'],
  ['a device', { pci_device_pools: [{ vendor_id: '8086', product_id: '1572', count: 1 }] }, undefined],
  ['an instance', { instances: [{ uuid: UUID }] }, undefined],
  ['an instance twice', { instances: [{ uuid: UUID }, { uuid: UUID.toUpperCase() }] }, 'instances.1.uuid'],
])('validates %s', async (_, body, field) => {
  expect(problemOfReport(hostReportOf(await validDocument(HostReportDto, body)))?.field).toBe(field);
});

it('leaves omitted fields unknown', () => {
  const report = hostReportOf({});
  expect(report).toMatchObject({ vcpusTotal: null, numaTopology: null, pciPools: null, stats: {}, instances: null });
  const nulls = Object.fromEntries(
    ['hypervisor', 'stats', 'metrics', 'numa_topology', 'pci_device_pools', 'instances', 'vcpus_total'].map((name) => [
      name,
      null,
    ]),
  );
  expect(hostReportOf(nulls)).toEqual(report);
});

it('distinguishes an empty list of devices from an absent one', () => {
  expect(hostReportOf({ pci_device_pools: [] }).pciPools).toEqual([]);
});

it('parses cells, devices, instances and hypervisor for the filters', async () => {
  const body = await validDocument(HostReportDto, {
    hypervisor: { type: 'QEMU', version: 8_002_000, hostname: 'n', cpu_info: '{}' },
    numa_topology: {
      cells: [
        { id: 1, socket: 0, cpuset: [1], pcpuset: [2], pinned_cpus: [2], siblings: [[1, 2]], memory: 64 },
        { id: 2, memory: 0, mempages: [{ size_kb: 4, total: 10, used: 1 }], tunneled: true, physnets: ['p'] },
      ],
    },
    pci_device_pools: [{ vendor_id: '8086', product_id: '1572', count: 2 }],
    instances: [{ uuid: 'AAAAAAAA-0000-4000-8000-000000000001', image_properties: { hw_qemu: true } }],
    stats: { io_workload: 3 },
  });
  const report = hostReportOf(body);
  expect(report).toMatchObject({
    hypervisorType: 'QEMU',
    hypervisorVersion: 8_002_000,
    hypervisorHostname: 'n',
    cpuInfo: '{}',
    numaTopology: {
      cells: [
        { id: 1, socket: 0, cpuset: [1], pcpuset: [2], pinnedCpus: [2], memoryMb: 64, tunneled: false, mempages: [] },
        { id: 2, socket: null, cpuset: [], mempages: [{ sizeKb: 4, total: 10, used: 1, reserved: 0 }], tunneled: true },
      ],
    },
    pciPools: [{ vendorId: '8086', productId: '1572', devType: 'type-PCI', numaNode: null, count: 2, tags: {} }],
    instances: [
      {
        uuid: 'aaaaaaaa-0000-4000-8000-000000000001',
        flavor: null,
        imageProperties: { hw_qemu: 'true' },
        taskState: null,
      },
    ],
    stats: { io_workload: '3' },
  });
});

it.each<[string | number | null, number | null]>([
  ['1970-01-01T00:00:01Z', 1_000],
  [1_000, 1_000],
  [null, null],
  ['yesterday', null],
])('parses %j as the time %j of a metric', (time, expected) => {
  const [metric] = hostReportOf({ metrics: [{ name: 'm', value: 1, measured_at: time }] }).metrics;
  expect(metric).toEqual({ name: 'm', value: 1, unit: null, measuredAtMs: expected });
});

it('is stored with canonical uuids and without null image properties', async () => {
  const instances = [{ uuid: UUID.toUpperCase().replaceAll('-', ''), flavor: null, image_properties: null }];
  const body = await validDocument(HostReportDto, { instances });
  expect(JSON.parse(JSON.stringify(canonicalReport(body)))).toEqual({ instances: [{ uuid: UUID, flavor: null }] });
  expect(canonicalReport({ instances: null })).toEqual({ instances: null });
});
