import type { Rejection, RequestGroup, ResourceRequest } from '../../candidate-search';
import { findNearestMisses } from './nearest-misses';
import type { NearestMiss } from './nearest-misses';

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
  groups: [group('', { VCPU: 4, MEMORY_MB: 512 }, ['CUSTOM_X']), group('_GPU', { CUSTOM_GPU: 1 })],
  nestedAware: true,
  groupPolicy: null,
  sameSubtree: [['_GPU', '_NUMA']],
  rootRequired: ['R'],
  rootForbidden: ['F'],
  limit: 1000,
};
const rejection = (uuid: string, given: Partial<Rejection>): Rejection => ({
  root: { id: 1, uuid, name: uuid },
  group: '',
  stage: 'room',
  code: 'not_enough_left',
  params: {},
  ...given,
});
const short = (uuid: string, used: number): Rejection =>
  rejection(uuid, { params: { resource_class: 'VCPU', used, asked: 4, capacity: 8 } });

/** Placement that answers every relaxed request with these roots, and remembers what it was asked. */
async function missesOf(
  rejections: readonly Rejection[],
  roots: readonly string[],
): Promise<{ readonly misses: readonly NearestMiss[]; readonly asked: readonly ResourceRequest[] }> {
  const asked: ResourceRequest[] = [];
  const misses = await findNearestMisses(request, rejections, async (relaxed) => {
    asked.push(relaxed);
    return new Set(roots);
  });
  return { misses, asked };
}

describe('nearest misses', () => {
  it('count hosts by how much of a class they lack, where they lack nothing else', async () => {
    const { misses, asked } = await missesOf(
      [short('a', 6), short('b', 6), short('c', 7), short('d', 7)],
      ['a', 'b', 'c'],
    );
    expect(misses).toEqual([
      { hosts: 2, lack: '2 VCPU' },
      { hosts: 1, lack: '3 VCPU' },
    ]);
    expect(asked.map(({ groups }) => [...(groups[0]?.resources.keys() ?? [])])).toEqual([['MEMORY_MB']]);
  });

  it.each<[string, Partial<Rejection>, string, (relaxed: ResourceRequest | undefined) => unknown, unknown]>([
    [
      'a trait of the root',
      { stage: 'root', code: 'missing_trait', group: null, params: { trait: 'R' } },
      'trait R',
      (relaxed) => relaxed?.rootRequired,
      [],
    ],
    [
      'a forbidden trait of the root',
      { stage: 'root', code: 'forbidden_trait', group: null, params: { trait: 'F' } },
      'freedom from trait F',
      (relaxed) => relaxed?.rootForbidden,
      [],
    ],
    [
      'a trait of a group',
      { stage: 'traits', code: 'not_collectively_met', params: { missing: ['CUSTOM_X'] } },
      'trait CUSTOM_X',
      (relaxed) => relaxed?.groups[0]?.requiredTraits,
      [],
    ],
    [
      'a class, whose group goes when nothing is left of it',
      { stage: 'class', code: 'no_inventory', group: '_GPU', params: { resource_classes: ['CUSTOM_GPU'] } },
      'any CUSTOM_GPU',
      (relaxed) => [relaxed?.groups.length, relaxed?.sameSubtree],
      [1, []],
    ],
  ])('ask again without %s', async (_, given, lack, part, expected) => {
    const { misses, asked } = await missesOf([rejection('a', given)], ['a']);
    expect(misses).toEqual([{ hosts: 1, lack }]);
    expect(part(asked[0])).toEqual(expected);
  });

  it('leave out hosts that lack something else as well', async () => {
    expect((await missesOf([short('a', 6)], [])).misses).toEqual([]);
  });

  it('leave out what is no single condition', async () => {
    const several = rejection('a', { stage: 'traits', code: 'missing_trait', params: { missing: ['X', 'Y'] } });
    const combined = rejection('b', { stage: 'same_subtree', code: 'no_common_subtree', group: null });
    const { misses, asked } = await missesOf([several, combined], ['a', 'b']);
    expect([misses, asked]).toEqual([[], []]);
  });

  it('ask a bounded number of times, most frequent failures first', async () => {
    const rare = Array.from({ length: 20 }, (_, at) =>
      rejection(`r${at}`, { stage: 'root', code: 'missing_trait', group: null, params: { trait: `T${at}` } }),
    );
    const { misses, asked } = await missesOf([...rare, short('a', 6), short('b', 6)], ['a', 'b']);
    expect(asked).toHaveLength(6);
    expect(misses).toEqual([{ hosts: 2, lack: '2 VCPU' }]);
  });
});
