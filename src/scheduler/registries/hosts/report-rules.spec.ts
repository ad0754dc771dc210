import type { HostReportBody } from '../../host-state/host-facts';
import { isProblem, readReport } from './report-rules';

const cells = (...list: readonly object[]): HostReportBody => ({
  numa_topology: { cells: list.map((cell) => ({ memory: 1, ...cell })) },
});
const UUID = 'aaaaaaaa-0000-4000-8000-000000000001';

it.each<[string, HostReportBody, string | undefined]>([
  ['nothing', {}, undefined],
  ['cells apart', cells({ id: 0, cpuset: [0], pcpuset: [1] }, { id: 1, cpuset: [2] }), undefined],
  ['a CPU that is shared and dedicated in one cell', cells({ id: 0, cpuset: [0], pcpuset: [0] }), undefined],
  ['a pinned CPU of the cell', cells({ id: 0, pcpuset: [1], pinned_cpus: [1] }), undefined],
  ['two cells of one id', cells({ id: 0 }, { id: 0 }), 'numa_topology.cells[1].id'],
  ['a CPU in two cells', cells({ id: 0, cpuset: [1] }, { id: 1, pcpuset: [1] }), 'numa_topology.cells[1]'],
  ['a pinned CPU of no cell', cells({ id: 0, pcpuset: [1], pinned_cpus: [2] }), 'numa_topology.cells[0].pinned_cpus'],
  ['a device', { pci_device_pools: [{ vendor_id: '8086', product_id: '1572', count: 1 }] }, undefined],
  ['a device of no kind', { pci_device_pools: [{ vendor_id: '8086', count: 1 }] }, 'pci_device_pools[0].product_id'],
  ['an instance', { instances: [{ uuid: UUID }] }, undefined],
  ['an instance twice', { instances: [{ uuid: UUID }, { uuid: UUID.toUpperCase() }] }, 'instances.1.uuid'],
])('judges %s', (_, body, field) => {
  const read = readReport(body);
  expect(isProblem(read) ? read.field : undefined).toBe(field);
});
