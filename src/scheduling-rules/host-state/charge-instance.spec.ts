import { hostTopology, instanceTopology, pinnedCell } from '../numa/numa.fixture';
import { hostState } from '../pipeline/pipeline.fixture';
import type { InstanceNumaTopology } from '../request-spec/numa-topology';
import type { PciPool, PciRequest } from '../request-spec/pci-pool';
import type { NumaPciPlacement } from './charge-instance';
import {
  chargeInstance,
  EMPTY_PLACEMENT,
  placeInstance,
  releaseInstance,
  topologyOfNextMember,
} from './charge-instance';

const POOL: PciPool = { vendorId: '8086', productId: '1572', devType: 'type-PCI', numaNode: 1, count: 2, tags: {} };
const NIC: PciRequest = {
  requestId: null,
  aliasName: 'nic',
  count: 1,
  alternatives: [{ vendor_id: '8086' }],
  numaPolicy: null,
};
const TERMS = { mappings: {}, packing: false };

const host = hostState({ numaTopology: hostTopology({}, {}), pciPools: [POOL] });
const place = (
  on: typeof host,
  numaTopology: InstanceNumaTopology | null,
  pciRequests: readonly PciRequest[] = [],
): NumaPciPlacement | null => placeInstance(on, { numaTopology, pciRequests }, TERMS);

describe('the usage of an instance', () => {
  it('is empty for a request without cells and devices, on any host', () => {
    expect(place(hostState(), null)).toBe(EMPTY_PLACEMENT);
    expect(chargeInstance(host, EMPTY_PLACEMENT)).toEqual({ numaTopology: host.numaTopology, pciPools: host.pciPools });
  });

  it('is devices without cells', () => {
    const placement = place(hostState({ pciPools: [POOL] }), null, [NIC]);
    expect(placement).toEqual({ numa: null, pci: [{ pool: expect.objectContaining({ numaNode: 1 }), count: 1 }] });
  });

  it.each<[string, Partial<typeof host>, InstanceNumaTopology | null, readonly PciRequest[]]>([
    ['cells on a host without NUMA data', { numaTopology: null }, instanceTopology({}), []],
    ['cells that do not fit', {}, instanceTopology({ memoryMb: 5000 }), []],
    ['devices on a host without PCI data', { pciPools: null }, null, [NIC]],
    ['too many devices', {}, null, [{ ...NIC, count: 3 }]],
  ])('is unknown: %s', (_, given, topology, requests) =>
    expect(place({ ...host, ...given }, topology, requests)).toBeNull(),
  );

  it.each<[string, Partial<typeof host>, InstanceNumaTopology]>([
    ['on a host without NUMA data', { numaTopology: null }, instanceTopology({})],
    ['with cells that do not fit', {}, instanceTopology({ memoryMb: 5000 })],
  ])('is devices alone: %s', (_, given, topology) =>
    expect(place({ ...host, ...given }, topology, [{ ...NIC, numaPolicy: 'required' }])).toEqual({
      numa: null,
      pci: [{ pool: expect.objectContaining({ numaNode: 1 }), count: 1 }],
    }),
  );

  it('is bounded by the limits that NUMATopologyFilter left, and by no ratio without them', () => {
    const busy = {
      ...host,
      numaTopology: hostTopology({ cpuset: [], cpuUsage: 1 }, { cpuUsage: 4, memoryUsageMb: 4096 }),
    };
    expect(place(busy, instanceTopology({}))).toMatchObject({ numa: { cells: [{ hostCell: 1 }] } });
    expect(place(busy, instanceTopology(pinnedCell(1, { cpuPolicy: 'mixed' })))).toMatchObject({
      numa: { cells: [{ hostCell: 0 }] },
    });
    const limits = { numa: { cpuAllocationRatio: 1, ramAllocationRatio: 1 } };
    expect(place({ ...busy, limits }, instanceTopology({}))).toBeNull();
  });

  it('reaches the networks that the limits name', () => {
    const away = { ...host, numaTopology: hostTopology({}, { physnets: ['a'] }) };
    const numa = { cpuAllocationRatio: 1, ramAllocationRatio: 1, network: { physnets: ['a'], tunneled: false } };
    expect(place(away, instanceTopology({}))).toMatchObject({ numa: { cells: [{ hostCell: 0 }] } });
    expect(place({ ...away, limits: { numa } }, instanceTopology({}))).toMatchObject({
      numa: { cells: [{ hostCell: 1 }] },
    });
  });

  it('is near the requested devices', () => {
    const placement = place(host, instanceTopology({}), [{ ...NIC, numaPolicy: 'required' }]);
    expect(placement).toMatchObject({ numa: { cells: [{ hostCell: 1 }] }, pci: [{ count: 1 }] });
  });

  it('is plain data', () => {
    const placement = place(host, instanceTopology(pinnedCell(2)), [NIC]);
    expect(JSON.parse(JSON.stringify(placement))).toEqual(placement);
  });
});

describe('a batch', () => {
  it('sees the members before', () => {
    const asked = instanceTopology(pinnedCell(3));
    let state = host;
    const cells: (number | undefined)[] = [];
    for (let member = 0; member < 3; member += 1) {
      const placement = place(state, asked);
      cells.push(placement?.numa?.cells[0]?.hostCell);
      if (placement !== null) state = { ...state, ...chargeInstance(state, placement) };
    }
    expect(cells.slice(0, 2).sort()).toEqual([0, 1]);
    expect(cells[2]).toBeUndefined();
  });

  it('releases its usage, in any order', () => {
    const first = place(host, instanceTopology(pinnedCell(2)), [NIC]);
    const charged = { ...host, ...chargeInstance(host, first ?? EMPTY_PLACEMENT) };
    const second = place(charged, instanceTopology({}), [NIC]);
    const both = { ...charged, ...chargeInstance(charged, second ?? EMPTY_PLACEMENT) };
    expect(both.pciPools?.[0]?.count).toBe(0);
    const released = { ...both, ...releaseInstance(both, first ?? EMPTY_PLACEMENT) };
    expect(releaseInstance(released, second ?? EMPTY_PLACEMENT)).toEqual({
      numaTopology: host.numaTopology,
      pciPools: host.pciPools,
    });
  });
});

describe('the request of the next member', () => {
  const asked = instanceTopology({ pageSize: 'any' });
  const mempages = [{ sizeKb: 2048, total: 1024, used: 0, reserved: 0 }];
  const placement = place({ ...host, numaTopology: hostTopology({ mempages }) }, asked);

  it('is the original request', () => {
    expect(topologyOfNextMember(asked, placement, { novaCompat: false })).toBe(asked);
    expect(topologyOfNextMember(asked, null, { novaCompat: false })).toBe(asked);
  });

  it('is, as nova does it, the page size the first one got, or nothing', () => {
    expect(topologyOfNextMember(asked, placement, { novaCompat: true })?.cells[0]?.pageSize).toBe(2048);
    expect(topologyOfNextMember(asked, null, { novaCompat: true })).toBeNull();
    expect(topologyOfNextMember(null, EMPTY_PLACEMENT, { novaCompat: true })).toBeNull();
  });
});
