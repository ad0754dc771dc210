import type { Rejection, RequestGroup, ResourceRequest, TreeChange } from '../../placement/candidate-search';
import type { MissesFound } from './nearest-misses';
import { findNearestMisses } from './nearest-misses';
import { conditionOf } from './rejection-reasons';

const group = (suffix: string, resources: Readonly<Record<string, number>>, traits: string[] = []): RequestGroup => ({
  suffix,
  resources: new Map(Object.entries(resources)),
  requiredTraits: traits.map((trait) => [trait]),
  forbiddenTraits: [],
  memberOf: [],
  forbiddenAggregates: [],
  inTree: null,
});
const request: ResourceRequest = {
  groups: [
    {
      ...group('', { VCPU: 4, MEMORY_MB: 512 }, ['CUSTOM_X']),
      memberOf: [['x', 'y'], ['z']],
      forbiddenAggregates: ['v'],
    },
    group('_GPU', { CUSTOM_GPU: 1 }),
  ],
  nestedAware: true,
  groupPolicy: null,
  sameSubtree: [['_GPU', '_NUMA']],
  rootRequired: ['R'],
  rootForbidden: ['F'],
  limit: 1000,
};
/** Roots are named by a letter, or by `r` and a number. */
const idOf = (uuid: string): number => Number.parseInt(uuid, 36);
const rejection = (uuid: string, given: Partial<Rejection>): Rejection => ({
  root: { id: idOf(uuid), uuid, name: uuid },
  group: '',
  stage: 'room',
  code: 'not_enough_left',
  params: {},
  ...given,
});
const short = (uuid: string, used: number): Rejection =>
  rejection(uuid, { params: { resource_class: 'VCPU', provider: 'numa', used, asked: 4, capacity: 8 } });

interface Asked {
  readonly request: ResourceRequest;
  /** By the uuid of the root. */
  readonly treeChanges: readonly (readonly [string, TreeChange])[];
}

/** A Placement stub that finds a candidate on these hosts after any change, and records its calls. */
async function missesOf(
  rejections: readonly Rejection[],
  roots: readonly string[],
): Promise<MissesFound & { readonly asked: readonly Asked[] }> {
  const asked: Asked[] = [];
  const found = await findNearestMisses(request, rejections, async (relaxed, treeChanges) => {
    const uuids = new Map(rejections.map(({ root }) => [root.id, root.uuid]));
    asked.push({
      request: relaxed,
      treeChanges: [...treeChanges].map(([id, treeChange]) => [uuids.get(id) ?? '', treeChange]),
    });
    return new Set(roots.map(idOf));
  });
  return { ...found, asked };
}

describe('nearest misses', () => {
  it('count hosts by the missing amount of a class, if nothing else is missing', async () => {
    const { misses, asked, withRoom } = await missesOf(
      [short('a', 6), short('b', 6), short('c', 7), short('d', 7)],
      ['a', 'b', 'c'],
    );
    expect(misses).toEqual([
      { hosts: 2, lack: '2 VCPU' },
      { hosts: 1, lack: '3 VCPU' },
    ]);
    const freed = (amount: number): TreeChange => ({ kind: 'free', provider: 'numa', resourceClass: 'VCPU', amount });
    expect(asked).toEqual([
      {
        request,
        treeChanges: [
          ['a', freed(2)],
          ['b', freed(2)],
          ['c', freed(3)],
          ['d', freed(3)],
        ],
      },
    ]);
    expect([...withRoom]).toEqual([]);
  });

  it.each<[string, Partial<Rejection>, string, TreeChange]>([
    [
      'a trait of the root',
      { stage: 'root', code: 'missing_trait', group: null, params: { trait: 'R' } },
      'trait R',
      { kind: 'add_traits', traits: ['R'] },
    ],
    [
      'a forbidden trait of the root',
      { stage: 'root', code: 'forbidden_trait', group: null, params: { trait: 'F' } },
      'freedom from trait F',
      { kind: 'remove_traits', traits: ['F'] },
    ],
    [
      'a trait of a group',
      { stage: 'traits', code: 'not_collectively_met', params: { missing: ['CUSTOM_X'] } },
      'trait CUSTOM_X',
      { kind: 'add_traits', traits: ['CUSTOM_X'] },
    ],
    [
      'a class',
      { stage: 'class', code: 'no_inventory', group: '_GPU', params: { resource_classes: ['CUSTOM_GPU'] } },
      'CUSTOM_GPU',
      { kind: 'add_class', resourceClass: 'CUSTOM_GPU' },
    ],
    [
      'a place in aggregates',
      { stage: 'aggregates', code: 'not_a_member', params: { member_of: ['in:x,y', 'z'] } },
      'a place in host aggregate x or y and host aggregate z',
      { kind: 'join_aggregates', aggregates: ['x', 'z'] },
    ],
    [
      'a place outside of aggregates',
      { stage: 'aggregates', code: 'root_in_forbidden_aggregate', params: { aggregates: ['v'] } },
      'freedom from forbidden aggregates',
      { kind: 'leave_aggregates', aggregates: ['v'] },
    ],
  ])('ask the whole request again of a host with %s', async (_, given, lack, treeChange) => {
    const { misses, asked } = await missesOf([rejection('a', given)], ['a']);
    expect(misses).toEqual([{ hosts: 1, lack }]);
    expect(asked).toEqual([{ request, treeChanges: [['a', treeChange]] }]);
  });

  it('leave out hosts that lack something else as well', async () => {
    expect((await missesOf([short('a', 6)], [])).misses).toEqual([]);
  });

  it('omit failures that free room does not fix', async () => {
    const above = rejection('a', { code: 'above_max_unit', params: { resource_class: 'VCPU', asked: 4, max_unit: 2 } });
    const small = rejection('b', { params: { resource_class: 'VCPU', used: 0, asked: 4, capacity: 3 } });
    const { misses, asked } = await missesOf([above, small], ['a', 'b']);
    expect([misses, asked]).toEqual([[], []]);
  });

  it('omit failures of several conditions, but count hosts with room', async () => {
    const several = rejection('a', { stage: 'traits', code: 'missing_trait', params: { missing: ['X', 'Y'] } });
    const apart = rejection('b', { stage: 'group_policy', code: 'not_enough_different_providers', group: null });
    const below = rejection('c', { stage: 'same_subtree', code: 'no_common_subtree', group: null });
    const sum = rejection('d', { stage: 'merged_capacity', code: 'sum_does_not_fit', group: null });
    const { misses, asked, withRoom } = await missesOf([several, apart, below, sum], ['a', 'c']);
    expect(misses).toEqual([]);
    expect(asked).toEqual([
      { request, treeChanges: [['a', { kind: 'add_traits', traits: ['X', 'Y'] }]] },
      { request: { ...request, groupPolicy: 'none' }, treeChanges: [['b', { kind: 'unchanged' }]] },
      { request: { ...request, sameSubtree: [] }, treeChanges: [['c', { kind: 'unchanged' }]] },
    ]);
    expect([...withRoom]).toEqual([several, below].map((each) => [conditionOf(each), 1]));
  });

  it('count hosts with room by the condition, also if several conditions are on one trait', async () => {
    const ofRoot = { stage: 'root', code: 'missing_trait', group: null, params: { trait: 'T' } } as const;
    const ofGroup = { stage: 'traits', code: 'missing_trait', group: '_GPU', params: { missing: ['T'] } } as const;
    const rejections = [rejection('a', ofRoot), rejection('b', ofGroup), rejection('c', ofGroup)];
    const { misses, withRoom } = await missesOf(rejections, ['a', 'b', 'c']);
    expect(misses).toEqual([{ hosts: 3, lack: 'trait T' }]);
    expect([...withRoom.values()]).toEqual([1, 2]);
  });

  it('look at each host once', async () => {
    const rare = Array.from({ length: 20 }, (_, at) =>
      rejection(`r${at}`, { stage: 'root', code: 'missing_trait', group: null, params: { trait: `T${at}` } }),
    );
    const { misses, asked } = await missesOf([...rare, short('a', 6), short('b', 6)], ['a', 'b', 'r7']);
    expect(asked.map(({ treeChanges }) => treeChanges.length)).toEqual([22]);
    expect(misses).toEqual([
      { hosts: 2, lack: '2 VCPU' },
      { hosts: 1, lack: 'trait T7' },
    ]);
  });
});
