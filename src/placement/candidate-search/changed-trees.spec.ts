// One change to one tree, and whether the whole request then has a candidate there.
import { worldGraph } from '../../../test/world/world';
import { aggregateUuid, providerUuid } from '../../../test/world/world-description';
import { parseQuery } from '../../../test/world/world-query';
import type { TreeChange } from './changed-trees';
import { ChangedTrees } from './changed-trees';

const WORLD = `
full    VCPU:8/8 VGPU:1/1           {CUSTOM_A}
coarse  VCPU:8(max=2)/8 VGPU:1
nested  VCPU:8
  gpu   VGPU:2/1                    {CUSTOM_B}
far     VCPU:8 DISK_GB:1/1                      @rack
pool    DISK_GB:100/95              {SHARES}    @rack
`;
const graph = worldGraph(WORLD);
const idOf = (name: string): number => graph.findProviderByUuid(providerUuid(name))?.id ?? -1;
const RACK = aggregateUuid('rack');
const free = (provider: string, resourceClass: string, amount: number): TreeChange => ({
  kind: 'free',
  provider: providerUuid(provider),
  resourceClass,
  amount,
});

it.each<[host: string, query: string, change: TreeChange, fits: boolean]>([
  ['full', 'resources=VCPU:4', free('full', 'VCPU', 4), true],
  ['full', 'resources=VCPU:4', free('full', 'VCPU', 3), false],
  ['full', 'resources=VCPU:9', free('full', 'VCPU', 9), false],
  ['coarse', 'resources=VCPU:4', free('coarse', 'VCPU', 4), false],
  ['coarse', 'resources=VCPU:2', free('coarse', 'VCPU', 2), true],
  ['nested', 'resources1=VGPU:1&resources2=VGPU:1', { kind: 'unchanged' }, false],
  ['nested', 'resources1=VGPU:1&resources2=VGPU:1', free('gpu', 'VGPU', 1), true],
  ['nested', 'resources1=VGPU:2&required1=CUSTOM_A', free('gpu', 'VGPU', 1), false],
  ['nested', 'resources1=VGPU:1&required1=CUSTOM_A', { kind: 'add_traits', traits: ['CUSTOM_A'] }, true],
  ['nested', 'resources1=VGPU:1&required1=!CUSTOM_B', { kind: 'remove_traits', traits: ['CUSTOM_B'] }, true],
  ['nested', 'resources1=DISK_GB:1&required1=CUSTOM_A', { kind: 'add_class', resourceClass: 'DISK_GB' }, false],
  ['nested', 'resources1=DISK_GB:1&required1=CUSTOM_B', { kind: 'add_class', resourceClass: 'DISK_GB' }, true],
  ['nested', 'resources=VGPU:1&member_of={rack}', { kind: 'join_aggregates', aggregates: [RACK] }, true],
  ['nested', 'resources1=VGPU:1&member_of1={rack}', { kind: 'join_aggregates', aggregates: [RACK] }, false],
  ['far', 'resources=VCPU:1&member_of=!{rack}', { kind: 'leave_aggregates', aggregates: [RACK] }, true],
  ['far', 'resources=VCPU:1,DISK_GB:9', free('pool', 'DISK_GB', 4), true],
  ['far', 'resources=VCPU:1,DISK_GB:9', free('pool', 'DISK_GB', 3), false],
  ['far', 'resources=VCPU:1,DISK_GB:9&member_of=!{rack}', { kind: 'leave_aggregates', aggregates: [RACK] }, false],
])('%s and %s after %j: %s', (host, query, treeChange, fits) => {
  expect(new ChangedTrees(graph, parseQuery(query)).fits(idOf(host), treeChange)).toBe(fits);
});

it('changes each tree by itself, without effect on the others', () => {
  const trees = new ChangedTrees(graph, parseQuery('resources=VCPU:4'));
  expect(trees.fits(idOf('full'), free('full', 'VCPU', 4))).toBe(true);
  expect(trees.fits(idOf('coarse'), { kind: 'unchanged' })).toBe(false);
  expect(trees.fits(4711, { kind: 'unchanged' })).toBe(false);
  expect(trees.fits(idOf('full'), { kind: 'unchanged' })).toBe(false);
});
