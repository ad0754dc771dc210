import type { ProviderResource, ProviderSummaries } from '../request/candidate';
import { sumOfTree, treesOf, zoneOf } from './host-state';

const resource = (total: number, used: number, given: Partial<ProviderResource> = {}): ProviderResource => ({
  ...{ total, used, reserved: 0, allocationRatio: 1, capacity: total },
  ...given,
});
const summaries: ProviderSummaries = {
  root: {
    ...{ uuid: 'root', name: 'cn1', rootUuid: 'root', parentUuid: null, traits: ['HW_X'] },
    resources: { DISK_GB: resource(100, 10) },
  },
  numa0: {
    ...{ uuid: 'numa0', name: 'numa0', rootUuid: 'root', parentUuid: 'root', traits: [] },
    resources: { MEMORY_MB: resource(4096, 4000, { reserved: 96, allocationRatio: 1.5, capacity: 6000 }) },
  },
  numa1: {
    ...{ uuid: 'numa1', name: 'numa1', rootUuid: 'root', parentUuid: 'root', traits: [] },
    resources: { MEMORY_MB: resource(8192, 5000) },
  },
  shared: {
    ...{ uuid: 'shared', name: 'ss1', rootUuid: 'shared', parentUuid: null, traits: [] },
    resources: { DISK_GB: resource(2000, 0) },
  },
};

describe('the tree of a host', () => {
  it('is its own providers; a sharing provider is a tree of its own', () => {
    const trees = treesOf(summaries);
    expect([...trees.keys()]).toEqual(['root', 'shared']);
    expect(trees.get('root')?.map(({ name }) => name)).toEqual(['cn1', 'numa0', 'numa1']);
  });

  it('sums its providers, with the ratio of the largest', () => {
    const tree = treesOf(summaries).get('root') ?? [];
    expect(sumOfTree(tree, 'MEMORY_MB')).toEqual({
      ...{ total: 12_288, reserved: 96, capacity: 14_192, used: 9_000, allocationRatio: 1 },
    });
    expect(sumOfTree(tree, 'DISK_GB')).toEqual(resource(100, 10));
    expect(sumOfTree(tree, 'VCPU')).toEqual(resource(0, 0));
  });
});

it.each([
  [[], 'nova'],
  [[{ uuid: 'a', name: 'a', metadata: {} }], 'nova'],
  [[{ uuid: 'a', name: 'a', metadata: { availability_zone: 'az1' } }], 'az1'],
])('a host of aggregates %j is in zone %s', (aggregates, zone) => expect(zoneOf({ aggregates }, 'nova')).toBe(zone));
