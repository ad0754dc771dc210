import type { HostReportBody } from '../../host-state/host-facts';
import { problemOfReport } from './report-rules';

const cells = (...list: readonly object[]): HostReportBody => ({
  numa_topology: { cells: list as NonNullable<HostReportBody['numa_topology']>['cells'] },
});
const UUID = 'aaaaaaaa-0000-4000-8000-000000000001';

it.each<[string, HostReportBody, string | undefined]>([
  ['nothing', {}, undefined],
  ['cells apart', cells({ id: 0, cpuset: [0], pcpuset: [1] }, { id: 1, cpuset: [2] }), undefined],
  ['a CPU that is shared and dedicated in one cell', cells({ id: 0, cpuset: [0], pcpuset: [0] }), undefined],
  ['a pinned CPU of the cell', cells({ id: 0, pcpuset: [1], pinned_cpus: [1] }), undefined],
  ['two cells of one id', cells({ id: 0 }, { id: 0 }), 'numa_topology.cells.1.id'],
  ['a CPU in two cells', cells({ id: 0, cpuset: [1] }, { id: 1, pcpuset: [1] }), 'numa_topology.cells.1'],
  ['a pinned CPU of no cell', cells({ id: 0, pcpuset: [1], pinned_cpus: [2] }), 'numa_topology.cells.0.pinned_cpus'],
  ['an instance', { instances: [{ uuid: UUID }] }, undefined],
  ['an instance twice', { instances: [{ uuid: UUID }, { uuid: UUID.toUpperCase() }] }, 'instances.1.uuid'],
])('judges %s', (_, report, field) => {
  expect(problemOfReport(report)?.field).toBe(field);
});
