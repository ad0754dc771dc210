import type { CapacityReport } from '../../service/reports';
import { classRows, shownOf, sortedRows, traitRows } from './catalog-rows';

const report = (groups: readonly object[]): CapacityReport => ({ groups }) as unknown as CapacityReport;
const names = ['CUSTOM_A', 'HW_NUMA_ROOT', 'STORAGE_DISK_SSD'];
const rows = traitRows(
  names,
  report([
    { key: 'HW_NUMA_ROOT', hosts: 3, hosts_usable: 2 },
    { key: 'CUSTOM_A', hosts: 3, hosts_usable: 3 },
  ]),
);
const namesOf = (shown: readonly { readonly name: string }[]) => shown.map(({ name }) => name);
const isUsed = ({ hosts }: { readonly hosts: number | undefined }) => (hosts ?? 0) > 0;

describe('the catalog of traits', () => {
  it('has a row for unused traits', () => {
    expect(rows.map(({ name, hosts, usable }) => [name, hosts, usable])).toEqual([
      ['CUSTOM_A', 3, 3],
      ['HW_NUMA_ROOT', 3, 2],
      ['STORAGE_DISK_SSD', 0, 0],
    ]);
  });

  it('does not say none where it does not know', () => {
    expect(traitRows(['CUSTOM_A'], undefined)[0]?.hosts).toBeUndefined();
  });

  it.each([
    ['', 'all', names],
    ['numa', 'all', ['HW_NUMA_ROOT']],
    ['', 'used', ['CUSTOM_A', 'HW_NUMA_ROOT']],
    ['', 'custom', ['CUSTOM_A']],
    ['', 'standard', ['HW_NUMA_ROOT', 'STORAGE_DISK_SSD']],
    ['ssd', 'custom', []],
  ] as const)('shows %j of %s', (typed, kind, expected) => {
    expect(namesOf(shownOf(rows, { typed, kind }, isUsed))).toEqual(expected);
  });

  it.each([
    ['name', names],
    ['-name', [...names].reverse()],
    ['-hosts', names],
    ['hosts', ['STORAGE_DISK_SSD', 'CUSTOM_A', 'HW_NUMA_ROOT']],
  ])('is sorted by %s', (sort, expected) => {
    expect(namesOf(sortedRows(rows, sort, { hosts: ({ hosts }) => hosts ?? 0 }))).toEqual(expected);
  });
});

describe('the catalog of classes', () => {
  it('separates classes of hosts from the others', () => {
    const figures = { total: 4, reserved: 0, capacity: 4, used: 1, free: 3 };
    const found = classRows(['VCPU', 'PCPU'], report([{ key: null, resource_classes: { VCPU: figures } }]));
    expect(found.map(({ name, isUsed: used }) => [name, used])).toEqual([
      ['VCPU', true],
      ['PCPU', false],
    ]);
  });
});
