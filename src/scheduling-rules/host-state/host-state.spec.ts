import type { ProviderSummaries } from './host-state';
import { sumOfTree, zoneOf } from './host-state';
import { provider, resource } from './host-state.fixture';
import { treesOfCandidates } from './states-of-candidates';

const summaries: ProviderSummaries = new Map(
  Object.entries({
    root: provider('root', { DISK_GB: resource(100, 10) }, { name: 'cn1', traits: ['HW_X'] }),
    numa0: provider(
      'numa0',
      { MEMORY_MB: resource(4096, 4000, { reserved: 96, allocationRatio: 1.5, capacity: 6000 }) },
      { rootUuid: 'root', parentUuid: 'root' },
    ),
    numa1: provider('numa1', { MEMORY_MB: resource(8192, 5000) }, { rootUuid: 'root', parentUuid: 'root' }),
    shared: provider('shared', { DISK_GB: resource(2000, 0) }, { name: 'ss1' }),
  }),
);

describe('the tree of a host', () => {
  const candidate = { rootUuid: 'root', allocations: {}, mappings: {} };
  const trees = treesOfCandidates([candidate], summaries);

  it('is its own providers; a sharing provider is a tree of its own', () => {
    expect([...trees.keys()]).toEqual(['root']);
    expect(trees.get('root')?.map(({ name }) => name)).toEqual(['cn1', 'numa0', 'numa1']);
  });

  it('sums its providers, with the ratio of the largest', () => {
    const tree = trees.get('root') ?? [];
    expect(sumOfTree(tree, 'MEMORY_MB')).toEqual({
      total: 12_288,
      reserved: 96,
      capacity: 14_192,
      used: 9_000,
      allocationRatio: 1,
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
