import { hostState, instancesOf } from '../pipeline/pipeline.fixture';
import { attributeOf, cpuInfoOf, hasAttribute, HOST_ATTRIBUTES, keyOf, textAtPath } from './host-attributes';

const CPU_INFO = {
  arch: 'x86_64',
  vendor: 'Intel',
  features: ['aes', 'avx2'],
  topology: { sockets: 2, cores: 4 },
  maxphysaddr: { mode: 'passthrough', bits: 46 },
  flag: true,
  nothing: null,
};
const host = hostState({
  host: 'h',
  node: 'n',
  uuid: 'u',
  cell: 'c',
  totalUsableRamMb: 1,
  freeRamMb: -2,
  totalUsableDiskGb: 3,
  freeDiskMb: 4,
  diskMbUsed: 5,
  vcpusTotal: 6,
  vcpusUsed: 7,
  cpuAllocationRatio: 16,
  ramAllocationRatio: 1.5,
  diskAllocationRatio: 1,
  numInstances: 8,
  numIoOps: 9,
  failedBuilds: 10,
  stats: { uptime: 'long', hypervisor_hostname: 'from stats', nested: '{"a": {"b": 1}}', text: 'no json' },
  hostIp: '10.0.0.1',
  hypervisorType: 'QEMU',
  hypervisorVersion: 6_002_000,
  cpuInfo: CPU_INFO,
  supportedInstances: [['x86_64', 'kvm', 'hvm']],
  metrics: [
    { name: 'cpu.frequency', value: 1600, unit: null, measuredAtMs: null },
    { name: 'cpu.percent', value: 20, unit: null, measuredAtMs: null },
  ],
  instances: instancesOf('i1'),
  limits: { vcpu: 24, memoryMb: 2, diskGb: 3 },
  updatedAtMs: 0,
  service: { disabled: false, disabledReason: null, forcedDown: true, lastSeenUpMs: null, createdAtMs: 0 },
});

describe('the text at a path', () => {
  it.each([
    ['host', 'h'],
    ['nodename', 'n'],
    ['uuid', 'u'],
    ['cell_uuid', 'c'],
    ['total_usable_ram_mb', '1'],
    ['free_ram_mb', '-2'],
    ['total_usable_disk_gb', '3'],
    ['free_disk_mb', '4'],
    ['disk_mb_used', '5'],
    ['vcpus_total', '6'],
    ['vcpus_used', '7'],
    ['cpu_allocation_ratio', '16.0'],
    ['ram_allocation_ratio', '1.5'],
    ['disk_allocation_ratio', '1.0'],
    ['num_instances', '8'],
    ['metrics', 'MonitorMetricList(objects=[MonitorMetric,MonitorMetric])'],
    ['num_io_ops', '9'],
    ['failed_builds', '10'],
    ['host_ip', '10.0.0.1'],
    ['hypervisor_type', 'QEMU'],
    ['hypervisor_version', '6002000'],
    ['supported_instances', "[['x86_64', 'kvm', 'hvm']]"],
    ['instances', "['i1']"],
    ['limits', "{'vcpu': 24, 'memory_mb': 2, 'disk_gb': 3}"],
    ['limits:vcpu', '24'],
    ['service:forced_down', 'True'],
    ['updated', '1970-01-01T00:00:00.000Z'],
    ['stats:uptime', 'long'],
    ['uptime', 'long'],
    ['hypervisor_hostname', 'from stats'],
    ['cpu_info:vendor', 'Intel'],
    ['cpu_info:features', "['aes', 'avx2']"],
    ['cpu_info:topology', "{'sockets': 2, 'cores': 4}"],
    ['cpu_info:topology:cores', '4'],
    ['cpu_info:flag', 'True'],
    ['nested:a:b', '1'],
    ['nested', '{"a": {"b": 1}}'],
    ['numa_topology', null],
    ['cpu_info:nothing', null],
    ['cpu_info:absent', null],
    ['cpu_info:features:aes', null],
    ['cpu_info:vendor:x', null],
    ['cpu_info:topology:cores:x', null],
    ['cpu_allocation_ratio:value', null],
    ['text:x', null],
    ['absent', null],
    ['', null],
    ['toString', null],
    ['stats:toString', null],
  ])('%s: %s', (path, text) => expect(textAtPath(host, path.split(':'))).toBe(text));

  it('reads cpu_info that was reported as text', () => {
    const reported = { ...host, cpuInfo: JSON.stringify(CPU_INFO) };
    expect(textAtPath(reported, ['cpu_info', 'topology', 'cores'])).toBe('4');
    expect(textAtPath(reported, ['cpu_info'])).toBe(JSON.stringify(CPU_INFO));
    expect(textAtPath({ ...host, cpuInfo: 'no json' }, ['cpu_info', 'vendor'])).toBeNull();
    expect(textAtPath({ ...host, cpuInfo: '5' }, ['cpu_info', 'vendor'])).toBeNull();
  });
});

it('attributes have values of their own type', () => {
  expect(attributeOf(host, 'free_ram_mb')).toBe(-2);
  expect(attributeOf(host, 'cpu_allocation_ratio')).toBe(16);
  expect(attributeOf(host, 'numa_topology')).toBeNull();
  expect(attributeOf(host, 'uptime')).toBeNull();
});

it('attributes exist in the host state or in its stats', () => {
  expect(['limits', 'numa_topology', 'uptime', 'absent', 'toString'].map((name) => hasAttribute(host, name))).toEqual([
    true,
    true,
    true,
    false,
    false,
  ]);
  expect(HOST_ATTRIBUTES).toContain('free_ram_mb');
});

it.each([
  [{ a: 1 }, 'a', 1],
  [{ a: null }, 'a', null],
  [{}, 'a', null],
  [{}, 'toString', null],
  [['x'], '0', null],
  ['x', '0', null],
  [null, 'a', null],
])('the key of %j', (value, key, found) => expect(keyOf(value, key)).toBe(found));

it.each([
  [{ arch: 'x' }, { arch: 'x' }],
  ['{"arch": "x"}', { arch: 'x' }],
  ['no json', null],
  ['[]', null],
  [null, null],
])('cpu_info %j as an object', (cpuInfo, object) => expect(cpuInfoOf({ cpuInfo })).toEqual(object));
