import { createHash, randomUUID } from 'node:crypto';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import { validDocument } from '../../platform/http/dto-body.decorator';
import { canonicalReport } from './host-report';
import { HostReportDto } from './hosts.schema';
import { changedFields, reportTextOf } from './report-text';

const instances = (count: number): NonNullable<HostReportDto['instances']> =>
  Array.from({ length: count }, () => ({
    uuid: randomUUID(),
    flavor: 'm1.small',
    project_id: 'p',
    vm_state: 'active',
  }));

const LARGE: HostReportDto = { vcpus_total: 64, metrics: null, instances: instances(10_000), cell: 'ü "1"' };

it('is the JSON of the report with its digest, for any length', () => {
  for (const report of [{}, { vcpus_total: 1 }, LARGE]) {
    const text = JSON.stringify(report);
    const digest = createHash('sha256').update(text).digest('hex');
    expect(reportTextOf(report)).toEqual({ text, digest });
  }
});

it('is limited in length', () => {
  const stats = Object.fromEntries(Array.from({ length: 120 }, (_, at) => [`k${at}`, 'x'.repeat(60_000)]));
  expect(SCHEDULER_LIMITS.reportBytes).toBeLessThan(120 * 60_000);
  expect(reportTextOf({ stats })).toBeUndefined();
});

describe('changed fields', () => {
  it.each<[string, object, object, readonly string[]]>([
    ['nothing', { vcpus_total: 1, stats: { a: '1' } }, { stats: { a: '1' }, vcpus_total: 1 }, []],
    ['a number', { vcpus_total: 1, vcpus_used: 0 }, { vcpus_total: 2, vcpus_used: 0 }, ['vcpus_total']],
    ['null is absent', { cell: null }, {}, []],
    ['what is new and what is gone', { cell: 'a' }, { host_ip: 'b' }, ['cell', 'host_ip']],
    ['a member of a list', { instances: [{ uuid: 'a' }] }, { instances: [{ uuid: 'b' }] }, ['instances']],
    ['the length of a list', { instances: [] }, { instances: [{ uuid: 'b' }] }, ['instances']],
    ['a key of an object', { stats: { a: '1' } }, { stats: { b: '1' } }, ['stats']],
    ['one key more', { stats: { a: '1' } }, { stats: { a: '1', b: '1' } }, ['stats']],
    ['text and number', { stats: { a: '1' } }, { stats: { a: 1 } }, ['stats']],
    ['a list and an object', { stats: [] }, { stats: {} }, ['stats']],
    ['what is not said', { stats: { a: '1' } }, { stats: { a: '1', b: undefined } }, []],
    ['the order of keys', { stats: { a: '1', b: '2' } }, { stats: { b: '2', a: '1' } }, []],
  ])('%s', (_, before, after, expected) => expect(changedFields(before, after)).toEqual(expected));

  it('are none in a body that equals the stored report', async () => {
    const report = {
      ...LARGE,
      hypervisor: { type: 'QEMU', version: 1, cpu_info: { vendor: 'v', features: ['a'] } },
      numa_topology: { cells: [{ id: 0, cpuset: [0, 1], memory: 1024, mempages: [{ size_kb: 4, total: 1 }] }] },
      pci_device_pools: [{ vendor_id: '8086', product_id: '1', count: 1, tags: { physical_network: 'p' } }],
      metrics: [{ name: 'cpu.frequency', value: 1 }],
      supported_instances: [['x86_64', 'kvm', 'hvm']],
      stats: { a: 1 },
    };
    const body = canonicalReport(await validDocument(HostReportDto, report));
    expect(changedFields(JSON.parse(JSON.stringify(body)) as HostReportDto, body)).toEqual([]);
  });
});
