// JSON columns of other releases and drivers than those of the fixture.
import {
  counterOf,
  InvalidText,
  metricsOf,
  numaTopologyOf,
  pciPoolsOf,
  statsOf,
  supportedInstancesOf,
} from './node-texts';

const wrapped = (name: string, version: string, data: object): object => ({
  'nova_object.name': name,
  'nova_object.namespace': 'nova',
  'nova_object.version': version,
  'nova_object.data': data,
});
const json = JSON.stringify;
const CELL = {
  id: 0,
  cpuset: [1, 0],
  memory: 10,
  cpu_usage: 1,
  memory_usage: 2,
  mempages: [],
  siblings: [],
  pinned_cpus: [],
};
const POOL = { vendor_id: '8086', product_id: '1533', numa_node: null, count: 2 };

describe('numa_topology', () => {
  it('of old computes lacks fields, which have defaults', () => {
    const pages = wrapped('NUMAPagesTopology', '1.0', { size_kb: 4, total: 9, used: 1 });
    const cell = wrapped('NUMACell', '1.2', { ...CELL, mempages: [pages] });
    expect(numaTopologyOf(json(wrapped('NUMATopology', '1.2', { cells: [cell] })))).toEqual({
      cells: [
        {
          id: 0,
          socket: null,
          cpuset: [0, 1],
          pcpuset: [],
          pinnedCpus: [],
          siblings: [],
          memoryMb: 10,
          cpuUsage: 1,
          memoryUsageMb: 2,
          mempages: [{ sizeKb: 4, total: 9, used: 1, reserved: 0 }],
          physnets: [],
          tunneled: false,
        },
      ],
    });
  });

  it('without versions has lists of CPUs as texts', () => {
    const text = json({ cells: [{ id: 1, cpus: '0-2,^1', cpu_usage: 3, mem: { total: 7, used: 5 } }] });
    expect(numaTopologyOf(text)?.cells[0]).toMatchObject({
      id: 1,
      cpuset: [0, 2],
      memoryMb: 7,
      memoryUsageMb: 5,
      cpuUsage: 3,
    });
  });

  it.each([
    [
      'of an unknown major version',
      json(wrapped('NUMATopology', '2.0', { cells: [] })),
      'contains NUMATopology in an unsupported version',
    ],
    ['that is cut off', '{"cells": [', 'is not JSON'],
    [
      'with a wrong type',
      json(wrapped('NUMATopology', '1.2', { cells: [{ ...CELL, id: 'x' }] })),
      'contains a cell id that is not a number',
    ],
  ])('%s is invalid', (_name, text, message) => {
    expect(() => numaTopologyOf(text)).toThrow(new InvalidText(message));
  });

  it.each([[null], [''], [json(wrapped('NUMATopology', '1.2', { cells: [] }))]])('%j means no topology', (text) => {
    expect(numaTopologyOf(text)).toBeNull();
  });
});

describe('pci_stats', () => {
  it.each<[string, string | null, unknown]>([
    ['NULL', null, []],
    ['that nova cannot read', '{', []],
    ['an empty list', json(wrapped('PciDevicePoolList', '1.1', { objects: [] })), []],
    [
      'with tags of a later release, and without those that are null',
      json(
        wrapped('PciDevicePoolList', '1.1', {
          objects: [
            wrapped('PciDevicePool', '1.9', { ...POOL, tags: { dev_type: 'type-VF', rp_uuid: 'u', trusted: null } }),
          ],
        }),
      ),
      [{ vendorId: '8086', productId: '1533', devType: 'type-VF', numaNode: null, count: 2, tags: { rp_uuid: 'u' } }],
    ],
    [
      'a plain list whose further keys are tags',
      json([{ ...POOL, numa_node: 1, physical_network: 'net' }]),
      [
        {
          vendorId: '8086',
          productId: '1533',
          devType: 'type-PCI',
          numaNode: 1,
          count: 2,
          tags: { physical_network: 'net' },
        },
      ],
    ],
    ['equal pools', json([POOL, POOL]), [expect.objectContaining({ count: 4 })]],
  ])('%s', (_name, text, pools) => {
    expect(pciPoolsOf(text)).toEqual(pools);
  });
});

describe('metrics', () => {
  it.each<[string, string, number]>([
    ['cpu.idle.percent', '0.57', 56],
    ['cpu.user.percent', '0.29', 28],
    ['cpu.percent', '1', 100],
    ['cpu.user.time', '22000000000', 22_000_000_000],
    ['own', '7.9', 7],
  ])('%s of %s is %d', (name, value, expected) => {
    expect(metricsOf(`[{"name": "${name}", "value": ${value}, "timestamp": "2026-11-23T12:56:18.784280"}]`)).toEqual([
      { name, value: expected, unit: null, measuredAtMs: Date.parse('2026-11-23T12:56:18.784Z') },
    ]);
  });

  it('of several values, and none at all, are left out', () => {
    expect(metricsOf('[{"name": "numa_membw", "numa_membw_values": {"0": 1}}]')).toEqual([]);
    expect(metricsOf(null)).toEqual([]);
  });
});

describe('stats', () => {
  it.each<[string, string | null, Record<string, string>]>([
    ['NULL', null, { num_instances: '0', io_workload: '0' }],
    [
      'counters with blanks and signs',
      '{"num_instances": " +2 ", "io_workload": "-1"}',
      { num_instances: '2', io_workload: '0' },
    ],
    ['null as a value', '{"uptime": null, "cpu_arch": "x"}', { cpu_arch: 'x', num_instances: '0', io_workload: '0' }],
    ['numbers', '{"num_instances": 3}', { num_instances: '3', io_workload: '0' }],
  ])('%s', (_name, text, expected) => {
    expect(statsOf(text)).toEqual(expected);
  });

  it('with a counter that is no integer are invalid', () => {
    expect(() => statsOf('{"num_instances": "many"}')).toThrow(
      "contains num_instances = 'many', which is not an integer",
    );
    expect(() => counterOf({ failed_builds: '1.5' }, 'failed_builds')).toThrow(InvalidText);
    expect(() => statsOf('[]')).toThrow('is not a JSON object');
  });
});

describe('supported_instances', () => {
  it.each([
    [null, []],
    ['', []],
    ['[["x86_64", "kvm", "hvm"]]', [['x86_64', 'kvm', 'hvm']]],
  ])('%j', (text, expected) => {
    expect(supportedInstancesOf(text)).toEqual(expected);
  });
});
