import type { Candidate, ProviderSummaries } from '../request/candidate';
import { buildHostState, chargeHost, treesOf, zoneOf } from './host-state';

const summaries: ProviderSummaries = {
  root: {
    name: 'cn1',
    rootUuid: 'root',
    parentUuid: null,
    traits: ['HW_X'],
    resources: { VCPU: { capacity: 32, used: 2 }, DISK_GB: { capacity: 100, used: 10 } },
  },
  numa0: {
    name: 'numa0',
    rootUuid: 'root',
    parentUuid: 'root',
    traits: [],
    resources: { MEMORY_MB: { capacity: 4096, used: 4000 } },
  },
  numa1: {
    name: 'numa1',
    rootUuid: 'root',
    parentUuid: 'root',
    traits: [],
    resources: { MEMORY_MB: { capacity: 4096, used: 5000 } },
  },
  shared: {
    name: 'ss1',
    rootUuid: 'shared',
    parentUuid: null,
    traits: [],
    resources: { DISK_GB: { capacity: 2000, used: 0 } },
  },
};
const row = { uuid: 'root', host: 'cn1', node: 'cn1', instances: ['i1', 'i2', 'i1'] };
const build = (): ReturnType<typeof buildHostState> => buildHostState(row, treesOf(summaries).get('root') ?? [], []);

describe('the host state', () => {
  it('sums its own tree; shared providers are not its own', () => {
    expect(build()).toMatchObject({
      totalUsableRamMb: 8192,
      freeRamMb: -808,
      vcpusTotal: 32,
      vcpusUsed: 2,
      totalUsableDiskGb: 100,
      freeDiskMb: 90 * 1024,
    });
  });

  it('counts consumers once', () => expect(build()).toMatchObject({ numInstances: 2 }));
  it('has the traits of its root', () => expect([...build().traits]).toEqual(['HW_X']));

  it('is charged what was asked of its own tree, in a new state', () => {
    const candidate: Candidate = {
      rootUuid: 'root',
      allocations: {
        root: { resources: { VCPU: 2 } },
        numa0: { resources: { MEMORY_MB: 96 } },
        shared: { resources: { DISK_GB: 20 } },
      },
      mappings: {},
    };
    const before = build();
    const after = chargeHost(before, 'i3', candidate, summaries);
    expect(after).toMatchObject({ freeRamMb: -904, vcpusUsed: 4, freeDiskMb: 90 * 1024, numInstances: 3 });
    expect(after.instances.has('i3')).toBe(true);
    expect(before.numInstances).toBe(2);
  });

  it.each([
    [[], 'nova'],
    [[{ uuid: 'a', name: 'a', metadata: {} }], 'nova'],
    [[{ uuid: 'a', name: 'a', metadata: { availability_zone: 'az1' } }], 'az1'],
  ])('of aggregates %j is in zone %s', (aggregates, zone) => expect(zoneOf({ aggregates }, 'nova')).toBe(zone));
});
