import type { InventoryRecord } from '../../placement/domain/inventory';
import { hostInventoriesOf } from './host-inventories';
import { hostReportOf } from './host-report';
import type { HostReportDto } from './hosts.schema';

const UNSET = { cpu: 0, ram: 0, disk: 0 };
const RATIOS = { initial: { cpu: 4, ram: 1, disk: 1 }, fixed: UNSET };
const inventories = (
  body: HostReportDto,
  { ratios = RATIOS, before }: { readonly ratios?: typeof RATIOS; readonly before?: InventoryRecord } = {},
): Record<string, object> =>
  Object.fromEntries(
    [...hostInventoriesOf(hostReportOf(body), ratios).records].map(([name, recordOf]) => [name, recordOf(before)]),
  );

it('has the classes of the report, at the initial ratios', () => {
  expect(inventories({ vcpus_total: 8, memory_mb: 4096, local_gb: 100 })).toEqual({
    VCPU: { total: 8, reserved: 0, minUnit: 1, maxUnit: 8, stepSize: 1, allocationRatio: 4 },
    MEMORY_MB: { total: 4096, reserved: 0, minUnit: 1, maxUnit: 4096, stepSize: 1, allocationRatio: 1 },
    DISK_GB: { total: 100, reserved: 0, minUnit: 1, maxUnit: 100, stepSize: 1, allocationRatio: 1 },
  });
});

it.each<[string, number | null | undefined, number]>([
  ['given', 2.5, 2.5],
  ['0', 0, 4],
  ['null', null, 4],
  ['absent', undefined, 4],
])('takes a ratio that is %s', (_, ratio, expected) => {
  const body = { vcpus_total: 8, ...(ratio !== undefined && { cpu_allocation_ratio: ratio }) };
  expect(inventories(body)).toMatchObject({ VCPU: { allocationRatio: expected } });
});

const SET = { total: 8, reserved: 3, minUnit: 2, maxUnit: 6, stepSize: 2, allocationRatio: 16 };
it.each<[string, HostReportDto, InventoryRecord, object]>([
  ['keeps what an operator set', { vcpus_total: 10 }, SET, { ...SET, total: 10 }],
  ['reserves no more than there is', { vcpus_total: 2 }, SET, { ...SET, total: 2, reserved: 2 }],
  ['takes a reserved amount that is named', { vcpus_total: 8, reserved_host_cpus: 0 }, SET, { ...SET, reserved: 0 }],
  ['takes a ratio that is named', { vcpus_total: 8, cpu_allocation_ratio: 2 }, SET, { ...SET, allocationRatio: 2 }],
  [
    'lets the largest amount follow the total',
    { vcpus_total: 10 },
    { ...SET, maxUnit: 8 },
    { ...SET, total: 10, maxUnit: 10 },
  ],
])('%s', (_, body, before, expected) => expect(inventories(body, { before })['VCPU']).toEqual(expected));

it.each<[string, HostReportDto, number]>([
  ['fixes a ratio that no report names', { vcpus_total: 8 }, 9],
  ['leaves a ratio that the report names', { vcpus_total: 8, cpu_allocation_ratio: 2 }, 2],
])('the configuration %s', (_, body, allocationRatio) => {
  const ratios = { ...RATIOS, fixed: { ...UNSET, cpu: 9 } };
  expect(inventories(body, { ratios, before: SET })).toMatchObject({ VCPU: { allocationRatio } });
  expect(inventories(body, { ratios })).toMatchObject({ VCPU: { allocationRatio } });
});

it.each([
  [0, 0],
  [1, 1],
  [1024, 1],
  [1025, 2],
])('rounds %d MB of reserved disk up to %d GB', (megabytes, gigabytes) => {
  expect(inventories({ local_gb: 10, reserved_host_disk_mb: megabytes })).toMatchObject({
    DISK_GB: { reserved: gigabytes },
  });
});

it('keeps the reserved amount, up to the total', () => {
  expect(
    inventories({ vcpus_total: 4, reserved_host_cpus: 4, memory_mb: 10, reserved_host_memory_mb: 11 }),
  ).toMatchObject({ VCPU: { total: 4, reserved: 4 }, MEMORY_MB: { total: 10, reserved: 10 } });
});

it('counts shared CPUs of the cells as VCPU and dedicated ones as PCPU at ratio 1', () => {
  const numa_topology = {
    cells: [
      { id: 0, cpuset: [0, 1], pcpuset: [2, 3, 4], memory: 1 },
      { id: 1, cpuset: [5], pcpuset: [6], memory: 1 },
    ],
  };
  expect(inventories({ vcpus_total: 64, cpu_allocation_ratio: 8, numa_topology })).toMatchObject({
    VCPU: { total: 3, allocationRatio: 8 },
    PCPU: { total: 4, allocationRatio: 1, reserved: 0 },
  });
});

it('distinguishes a class with total 0 from a class that the report omits', () => {
  const numa_topology = { cells: [{ id: 0, cpuset: [0], pcpuset: [], memory: 1 }] };
  expect(hostInventoriesOf(hostReportOf({ local_gb: 0, numa_topology }), RATIOS).removed).toEqual(['PCPU', 'DISK_GB']);
  expect(hostInventoriesOf(hostReportOf({}), RATIOS)).toEqual({ records: new Map(), removed: [] });
});
