import { hostTopology } from '../numa/numa.fixture';
import type { PciNumaPolicy, PciPool, PciRequest } from '../request-spec/pci-pool';
import { chargePciPools, releasePciPools } from './charge';
import type { PciFit, PciTerms } from './fit';
import { fitPci, providersOfRequest } from './fit';

const pool = (given: Partial<PciPool> = {}): PciPool => ({
  vendorId: '8086',
  productId: '1572',
  devType: 'type-PCI',
  numaNode: null,
  count: 1,
  tags: {},
  ...given,
});
const request = (given: Partial<PciRequest> = {}): PciRequest => ({
  requestId: null,
  aliasName: 'nic',
  count: 1,
  alternatives: [{ vendor_id: '8086' }],
  numaPolicy: null,
  ...given,
});
const NOWHERE: PciTerms = { cells: null, topology: null, mappings: {} };

/** Devices taken from each pool, by position, or the counts of the failure. */
function taken(pools: readonly PciPool[], answer: PciFit): readonly number[] | string {
  if (!answer.fits) return `${answer.failure.free} of ${answer.failure.matching}`;
  const left = chargePciPools(pools, answer.claims);
  return pools.map(({ count }, at) => count - (left[at]?.count ?? 0));
}

describe('devices match', () => {
  it.each<[string, Partial<PciPool>, readonly Readonly<Record<string, string | null>>[], boolean]>([
    ['by vendor', {}, [{ vendor_id: '8086' }], true],
    ['by vendor only if equal', {}, [{ vendor_id: '8087' }], false],
    ['by every property', {}, [{ vendor_id: '8086', product_id: '1572' }], true],
    ['by every property, not one', {}, [{ vendor_id: '8086', product_id: '1573' }], false],
    ['whatever the case', { vendorId: '10de' }, [{ vendor_id: '10DE' }], true],
    ['one of the alternatives', {}, [{ vendor_id: '1' }, { product_id: '1572' }], true],
    ['none of the alternatives', {}, [{ vendor_id: '1' }, { product_id: '2' }], false],
    ['by type', { devType: 'type-VF' }, [{ dev_type: 'type-VF' }], true],
    ['by type only if equal', { devType: 'type-VF' }, [{ dev_type: 'type-PCI' }], false],
    ['by tag', { tags: { physical_network: 'Net1' } }, [{ physical_network: 'net1' }], true],
    ['by tag only if there is one', {}, [{ physical_network: 'net1' }], false],
    ['without a tag', {}, [{ physical_network: null }], true],
    [
      'without a tag only if there is none',
      { tags: { physical_network: 'net1' } },
      [{ physical_network: null }],
      false,
    ],
    ['by NUMA node', { numaNode: 1 }, [{ numa_node: '1' }], true],
    ['whatever the resource class and traits', {}, [{ resource_class: 'CUSTOM_X', traits: 'CUSTOM_Y' }], true],
    ['no PF unless asked for', { devType: 'type-PF' }, [{ vendor_id: '8086' }], false],
    ['a PF that is asked for', { devType: 'type-PF' }, [{ dev_type: 'type-PF' }], true],
    ['no vDPA device unless asked for', { devType: 'type-VDPA' }, [{ vendor_id: '8086' }], false],
    ['a vDPA device that is asked for', { devType: 'type-VDPA' }, [{ dev_type: 'type-VDPA' }], true],
    ['no remote-managed one unless asked for', { tags: { remote_managed: 'True' } }, [{ vendor_id: '8086' }], false],
    ['no remote-managed one by another word', { tags: { remote_managed: 'yes' } }, [{ vendor_id: '8086' }], false],
    ['one that is asked for by the same word', { tags: { remote_managed: '1' } }, [{ remote_managed: '1' }], true],
    [
      'a remote-managed one that is asked for',
      { tags: { remote_managed: 'true' } },
      [{ remote_managed: 'True' }],
      true,
    ],
    ['one that is not remote-managed', { tags: { remote_managed: 'false' } }, [{ vendor_id: '8086' }], true],
    ['live-migratable ones by their tag', { tags: { live_migratable: 'true' } }, [{ live_migratable: 'true' }], true],
    ['no others', { tags: { live_migratable: 'false' } }, [{ live_migratable: 'true' }], false],
    ['no untagged ones', {}, [{ live_migratable: 'false' }], false],
    ['a VF without asking for its type', { devType: 'type-VF' }, [{ vendor_id: '8086' }], true],
  ])('%s', (_, given, alternatives, expected) =>
    expect(fitPci([pool(given)], [request({ alternatives })], NOWHERE).fits).toBe(expected),
  );
});

describe('counts', () => {
  it.each<[string, readonly number[], readonly number[], readonly number[] | string]>([
    ['enough', [2], [2], [2]],
    ['not enough', [2], [3], '2 of 2'],
    ['over several pools', [1, 2], [3], [1, 2]],
    ['not enough over several pools', [1, 2], [4], '3 of 3'],
    ['request after request', [3], [2, 1], [3]],
    ['the second finds less', [3], [2, 2], '1 of 3'],
    ['no request', [1], [], [0]],
  ])('%s', (_, counts, asked, expected) => {
    const pools = counts.map((count, at) => pool({ count, tags: { slot: String(at) } }));
    const requests = asked.map((count) => request({ count }));
    expect(taken(pools, fitPci(pools, requests, NOWHERE))).toEqual(expected);
  });

  it('are taken from the pools with fewest tags first, among equals in the order reported', () => {
    const tagged = (tags: PciPool['tags'], productId = '1'): PciPool => pool({ productId, tags });
    const pools = [tagged({ a: '1', b: '2' }), tagged({ a: '1' }, '2'), tagged({ b: '1' }, '3'), tagged({}, '4')];
    const takenBy = (count: number): unknown => taken(pools, fitPci(pools, [request({ count })], NOWHERE));
    expect([1, 2, 3].map(takenBy)).toEqual([
      [0, 0, 0, 1],
      [0, 1, 0, 1],
      [0, 1, 1, 1],
    ]);
    const [specific, , , plain] = pools as [PciPool, PciPool, PciPool, PciPool];
    const requests = [request(), request({ alternatives: [{ product_id: '1' }] })];
    expect(fitPci([specific, plain], requests, NOWHERE).fits).toBe(true);
  });

  it('of a failure name the request', () => {
    const answer = fitPci([pool()], [request(), request({ count: 2 })], NOWHERE);
    expect(answer).toMatchObject({ fits: false, failure: { at: 1, request: { count: 2 }, matching: 1, free: 0 } });
  });
});

describe('NUMA policies', () => {
  const SOCKETS = hostTopology({ socket: 0 }, { socket: 0 }, { socket: 1 });
  const NO_SOCKETS = hostTopology({}, {}, {});
  /** On the instance's cell, on its socket, on another socket, at an unknown place. */
  const POOLS = [pool({ numaNode: 0 }), pool({ numaNode: 1 }), pool({ numaNode: 2 }), pool()];

  it.each<[PciNumaPolicy | null, number, readonly number[] | string]>([
    ['required', 1, [1, 0, 0, 0]],
    ['required', 2, '1 of 4'],
    ['socket', 1, [1, 0, 0, 0]],
    ['socket', 2, [1, 1, 0, 0]],
    ['socket', 3, '2 of 4'],
    ['legacy', 1, [1, 0, 0, 0]],
    ['legacy', 2, [1, 0, 0, 1]],
    ['legacy', 3, '2 of 4'],
    [null, 2, [1, 0, 0, 1]],
    [null, 3, '2 of 4'],
    ['preferred', 1, [1, 0, 0, 0]],
    ['preferred', 2, [1, 0, 0, 1]],
    ['preferred', 3, [1, 1, 0, 1]],
    ['preferred', 4, [1, 1, 1, 1]],
    ['preferred', 5, '4 of 4'],
  ])('%s of %i devices', (numaPolicy, count, expected) => {
    const terms = { ...NOWHERE, cells: [0], topology: SOCKETS };
    expect(taken(POOLS, fitPci(POOLS, [request({ numaPolicy, count })], terms))).toEqual(expected);
  });

  it('preferred takes devices of unknown place before devices elsewhere', () => {
    const pools = [pool({ numaNode: 1, count: 2 }), pool(), pool({ numaNode: 0 })];
    const terms = { ...NOWHERE, cells: [0], topology: SOCKETS };
    expect(taken(pools, fitPci(pools, [request({ numaPolicy: 'preferred', count: 3 })], terms))).toEqual([1, 1, 1]);
  });

  it('socket finds nothing beyond the cells if the host does not report the socket of every cell', () => {
    const terms = { ...NOWHERE, cells: [0], topology: NO_SOCKETS };
    expect(taken(POOLS, fitPci(POOLS, [request({ numaPolicy: 'socket', count: 1 })], terms))).toEqual([1, 0, 0, 0]);
    expect(taken(POOLS, fitPci(POOLS, [request({ numaPolicy: 'socket', count: 2 })], terms))).toBe('0 of 4');
    const someSockets = { ...terms, topology: hostTopology({ socket: 0 }, { socket: 0 }, {}) };
    expect(fitPci(POOLS, [request({ numaPolicy: 'socket', count: 2 })], someSockets).fits).toBe(false);
  });

  it('have no effect if the instance has no cells', () =>
    expect(taken(POOLS, fitPci(POOLS, [request({ numaPolicy: 'required', count: 4 })], NOWHERE))).toEqual([
      1, 1, 1, 1,
    ]));

  it('count devices on any of several cells', () => {
    const terms = { ...NOWHERE, cells: [0, 2], topology: SOCKETS };
    expect(taken(POOLS, fitPci(POOLS, [request({ numaPolicy: 'required', count: 2 })], terms))).toEqual([1, 0, 1, 0]);
  });
});

describe('providers that placement chose', () => {
  const POOLS = [pool({ count: 2, tags: { rp_uuid: 'A' } }), pool({ count: 2, tags: { rp_uuid: 'B' } })];
  const asked = request({ requestId: 'r', count: 2 });

  it.each<[string, PciTerms['mappings'], readonly number[] | string]>([
    ['one provider twice', { 'r-0': ['B'], 'r-1': ['B'] }, [0, 2]],
    ['one of each', { 'r-0': ['A'], 'r-1': ['B'] }, [1, 1]],
    ['none: any pool', {}, [2, 0]],
    ['another request’s', { 'r-x-0': ['B'], 'rr-0': ['B'] }, [2, 0]],
    ['an unknown one', { 'r-0': ['C'], 'r-1': ['C'] }, '0 of 4'],
    ['fewer than asked', { 'r-0': ['B'] }, '2 of 4'],
  ])('%s', (_, mappings, expected) =>
    expect(taken(POOLS, fitPci(POOLS, [asked], { ...NOWHERE, mappings }))).toEqual(expected),
  );

  it('must have as many devices free as were chosen of them', () => {
    const mappings = { 'r-0': ['B'], 'r-1': ['B'] };
    const pools = [POOLS[0] as PciPool, pool({ count: 1, tags: { rp_uuid: 'B' } })];
    expect(taken(pools, fitPci(pools, [asked], { ...NOWHERE, mappings }))).toBe('0 of 3');
  });

  it('are none for a request without an id', () =>
    expect(providersOfRequest(request(), { 'null-0': ['A'] }).size).toBe(0));
});

describe('charging pools', () => {
  const POOLS = [pool({ count: 2, numaNode: 0 }), pool({ count: 1 })];
  const claims = [{ pool: pool({ numaNode: 0 }), count: 1 }];

  it('takes from the pool and gives back to it', () => {
    const charged = chargePciPools(POOLS, claims);
    expect(charged.map(({ count }) => count)).toEqual([1, 1]);
    expect(releasePciPools(charged, claims)).toEqual(POOLS);
    expect(POOLS.map(({ count }) => count)).toEqual([2, 1]);
  });

  it('identifies a pool by its content, not by its position', () =>
    expect(chargePciPools([...POOLS].reverse(), claims).map(({ count }) => count)).toEqual([1, 1]));

  it('distinguishes pools by their tags', () => {
    const tagged = [pool({ count: 1, tags: { a: '1', b: '2' } }), pool({ count: 1, tags: { a: '2', b: '1' } })];
    const claim = { pool: pool({ tags: { b: '1', a: '2' } }), count: 1 };
    expect(chargePciPools(tagged, [claim]).map(({ count }) => count)).toEqual([1, 0]);
  });

  it('never leaves less than nothing', () =>
    expect(chargePciPools(POOLS, [{ pool: pool(), count: 5 }]).map(({ count }) => count)).toEqual([2, 0]));

  it('has no effect on pools the host does not report', () =>
    expect(chargePciPools(POOLS, [{ pool: pool({ vendorId: 'x' }), count: 1 }])).toEqual(POOLS));
});
