// Sentences of refusals: rejections of Placement and filters, and the resulting text.
import type { Rejection } from '../../placement/candidate-search';
import type { PassRecord, PlacementRecord } from './decision';
import type { NearestMiss } from './nearest-misses';
import { refusalSentence } from './refusal-sentence';
import { conditionOf, filterReasons, placementReasons } from './rejection-reasons';
import type { Wording } from './wording';
import { PLAIN_WORDING } from './wording';

const AGGREGATE = '6f6d2a51-0000-4000-8000-000000000001';
const wording: Wording = {
  ...PLAIN_WORDING,
  originsOf: ({ name }) => (name === 'UNKNOWN' ? [] : name === 'BOTH' ? ['the flavor', 'the image'] : ['the flavor']),
  nameOf: (uuid) => (uuid === AGGREGATE ? 'gold' : undefined),
  templatesOf: (filter) =>
    filter === 'IoOpsFilter' ? { busy: 'host runs {actual}; the limit is {limit}' } : undefined,
};
const many = (count: number, { name, ...given }: Partial<Rejection> & { readonly name?: string }): Rejection[] =>
  Array.from({ length: count }, (_, at) => ({
    root: { id: at, uuid: `${at}`, name: name ?? `cn${at}` },
    group: '',
    stage: 'traits',
    code: 'not_collectively_met',
    params: {},
    ...given,
  }));
const room = (name: string, used: number): Rejection[] =>
  many(1, {
    name,
    stage: 'room',
    code: 'not_enough_left',
    params: { resource_class: 'VCPU', used, asked: 4, capacity: 8, is_root: true },
  });
const never = (code: string, limit: Readonly<Record<string, number>>, ...names: readonly string[]): Rejection[] =>
  names.flatMap((name) =>
    many(1, {
      name,
      stage: 'room',
      code,
      params: { resource_class: 'VCPU', used: 0, asked: 4, capacity: 16, is_root: true, ...limit },
    }),
  );
const lacking = (...missing: readonly string[]): Partial<Rejection> => ({ params: { missing } });
const placementOf = (hosts: number, more: Partial<PlacementRecord> = {}): PlacementRecord => ({
  query: 'resources=VCPU:4',
  microversion: '1.36',
  candidates: hosts,
  hosts,
  notConsidered: 0,
  truncated: false,
  gaveUp: false,
  fallback: null,
  rejections: [],
  ...more,
});

interface Found {
  readonly misses?: readonly NearestMiss[];
  /** The number of first rejected hosts that have room. */
  readonly withRoom?: number;
}

function empty(rejections: readonly Rejection[] | null, { misses = [], withRoom = 0 }: Found): string {
  const counts = new Map<string, number>();
  for (const rejection of (rejections ?? []).slice(0, withRoom)) {
    const condition = conditionOf(rejection);
    counts.set(condition, (counts.get(condition) ?? 0) + 1);
  }
  return refusalSentence({
    placement: placementOf(0, { rejections }),
    hosts: 0,
    placed: 0,
    last: null,
    ofFilters: [],
    nearestMisses: misses,
    withRoom: counts,
    instances: 1,
    minCount: 1,
    target: null,
    isClaimLost: false,
    ofPlacement: placementReasons(rejections ?? [], wording),
    conditions: null,
    wording,
  });
}

describe('if Placement returned no host', () => {
  it.each<[string, readonly Rejection[] | null, Found, string]>([
    [
      'one trait is all that is missing',
      many(40, lacking('CUSTOM_GPU')),
      { misses: [{ hosts: 40, lack: 'trait CUSTOM_GPU' }], withRoom: 40 },
      '40 hosts have room; all 40 lack trait CUSTOM_GPU, required by the flavor',
    ],
    [
      'a few hosts are named',
      many(2, lacking('A', 'B')),
      { withRoom: 2 },
      '2 hosts (cn0, cn1) have room; both lack traits A, B, required by the flavor',
    ],
    [
      'an origin nobody knows is left out',
      many(1, lacking('UNKNOWN')),
      { withRoom: 1 },
      '1 host (cn0) has room; it lacks trait UNKNOWN',
    ],
    [
      'every origin is named',
      many(1, lacking('BOTH')),
      { withRoom: 1 },
      '1 host (cn0) has room; it lacks trait BOTH, required by the flavor and the image',
    ],
    [
      'hosts whose room nobody knows are not said to have any',
      many(4, { stage: 'root', code: 'missing_trait', group: null, params: { trait: 'R' } }),
      {},
      '4 hosts lack trait R, required by the flavor',
    ],
    [
      'hosts that lack nothing else have room',
      many(4, { stage: 'root', code: 'missing_trait', group: null, params: { trait: 'R' } }),
      { misses: [{ hosts: 4, lack: 'trait R' }], withRoom: 4 },
      '4 hosts have room; all 4 lack trait R, required by the flavor',
    ],
    [
      'some of them have room',
      many(4, { stage: 'root', code: 'forbidden_trait', group: null, params: { trait: 'D' } }),
      { misses: [{ hosts: 3, lack: 'freedom from trait D' }], withRoom: 3 },
      '3 hosts have room; 4 hosts have trait D, forbidden by the flavor',
    ],
    [
      'groups that compete have no room because one rule of theirs could be lifted',
      many(2, {
        stage: 'group_policy',
        code: 'not_enough_different_providers',
        group: null,
        params: { groups: ['_1', '_2'] },
      }),
      {},
      '2 hosts (cn0, cn1) do not fit: the groups _1, _2 need a provider each, and there are not enough that fit',
    ],
    [
      'the sum of groups does not fit',
      [
        ...many(1, {
          stage: 'merged_capacity',
          code: 'sum_does_not_fit',
          group: null,
          params: { resource_classes: ['VGPU'] },
        }),
        ...room('b', 8),
      ],
      {},
      'none of 2 hosts fits: 1 host (cn0) does not fit: each group fits alone, all together they do not (VGPU); ' +
        '1 host (b) has no room for 4 VCPU, asked by the flavor (8 used of 8)',
    ],
    [
      'an amount that hosts can never hold, however empty they are',
      [
        ...never('above_max_unit', { max_unit: 2 }, 'a', 'b'),
        ...never('no_multiple_of_step_size', { step_size: 3 }, 'c'),
        ...never('below_min_unit', { min_unit: 8 }, 'd'),
        ...never('not_enough_left', { capacity: 3 }, 'e'),
        ...room('f', 6),
      ],
      { misses: [{ hosts: 1, lack: '2 VCPU' }] },
      'none of 6 hosts has room: 2 hosts (a, b) can never hold 4 VCPU, asked by the flavor (max_unit 2); ' +
        '1 host (c) can never hold 4 VCPU, asked by the flavor (step_size 3); ' +
        '1 host (d) can never hold 4 VCPU, asked by the flavor (min_unit 8); ' +
        '1 host (e) can never hold 4 VCPU, asked by the flavor (capacity 3); ' +
        '1 host fell out for 1 further reason; the nearest: 1 host lacks only 2 VCPU',
    ],
    [
      'nobody has room',
      [
        ...room('a', 6),
        ...room('b', 5),
        ...many(1, { name: 'c', stage: 'class', code: 'no_inventory', params: { resource_classes: ['VGPU'] } }),
      ],
      {
        misses: [
          { hosts: 1, lack: '1 VCPU' },
          { hosts: 1, lack: '2 VCPU' },
        ],
      },
      'none of 3 hosts has room: 2 hosts (a, b) have no room for 4 VCPU, asked by the flavor (5 to 6 used of 8); ' +
        '1 host (c) has no VGPU, asked by the flavor; the nearest: 1 host lacks only 1 VCPU; 1 more lacks only 2 VCPU',
    ],
    [
      'aggregates go by their names',
      many(5, { stage: 'aggregates', code: 'not_a_member', params: { member_of: [AGGREGATE] } }),
      { misses: [{ hosts: 5, lack: 'a place in host aggregate gold' }], withRoom: 5 },
      '5 hosts have room; all 5 are outside of host aggregate gold',
    ],
    [
      'what has no words of its own is told by the engine',
      many(4, { group: null, stage: 'combine', code: 'given_up', params: { steps: 9 } }),
      {},
      '4 hosts do not fit: the search was given up after 9 steps: whether it fits was not found out',
    ],
    [
      'hosts that nobody asked for are not counted',
      [...many(9, { stage: 'in_tree', code: 'other_tree' }), ...room('b', 8)],
      {},
      '1 host (b) has no room for 4 VCPU, asked by the flavor (8 used of 8)',
    ],
    [
      'only the first reasons are named',
      ['A', 'B', 'C', 'D', 'E', 'F'].flatMap((name) => many(4, lacking(name))),
      { withRoom: 24 },
      '24 hosts have room; ' +
        ['A', 'B', 'C', 'D'].map((name) => `4 hosts lack trait ${name}, required by the flavor; `).join('') +
        '8 hosts fell out for 2 further reasons',
    ],
    ['there is nothing', [], {}, 'there are no resource providers'],
    [
      'the search for the reasons was given up',
      null,
      {},
      'placement returned no host, and the search for the reasons reached its work limit',
    ],
  ])('%s', (_, rejections, found, expected) => expect(empty(rejections, found)).toBe(expected));
});

const fell = (
  names: readonly string[],
  code: string,
  actual: (at: number) => number,
): PassRecord['stages'][number]['rejected'] =>
  names.map((host, at) => ({
    host,
    node: host,
    code,
    params: { actual: actual(at), limit: 8 },
    message: `host runs ${actual(at)}; the limit is 8`,
  }));

function pass(
  stages: readonly [string, PassRecord['stages'][number]['rejected']][],
  more: Partial<PassRecord> = {},
): PassRecord {
  return {
    index: 0,
    instanceUuid: 'i',
    phase: 'select',
    notes: [],
    weighers: [],
    ranking: [],
    drawnFrom: 0,
    claims: [],
    selected: null,
    alternates: [],
    stages: stages.map(([name, rejected]) => ({
      kind: 'filter',
      name,
      in: 9,
      out: 0,
      skipped: false,
      rejected,
      alsoRejects: [],
    })),
    ...more,
  };
}

describe('if the filters rejected every host', () => {
  it.each<[string, readonly PassRecord[], Partial<PlacementRecord>, string]>([
    [
      'numbers become a range',
      [pass([['IoOpsFilter', fell(['a', 'b', 'c', 'd'], 'busy', (at) => 9 + at)]])],
      { hosts: 4 },
      '4 hosts have room; all 4 were rejected by IoOpsFilter: host runs 9 to 12; the limit is 8',
    ],
    [
      'a filter without templates is told by an example',
      [pass([['SiteFilter', fell(['a', 'b'], 'busy', (at) => 9 + at)]])],
      { hosts: 2 },
      '2 hosts (a, b) have room; both were rejected by SiteFilter: host runs 9; the limit is 8, or the like',
    ],
    [
      'the hosts that came furthest are told first',
      [
        pass([
          ['IoOpsFilter', fell(['a', 'b', 'c', 'd'], 'busy', () => 9)],
          ['SiteFilter', fell(['e'], 'odd', () => 1)],
        ]),
      ],
      { hosts: 5 },
      '5 hosts have room; 1 host (e) was rejected by SiteFilter: host runs 1; the limit is 8; ' +
        '4 hosts were rejected by IoOpsFilter: host runs 9; the limit is 8',
    ],
    [
      'hosts beyond the bound are counted',
      [pass([['IoOpsFilter', fell(['a'], 'busy', () => 9)]])],
      { hosts: 1, notConsidered: 70 },
      '1 host (a) has room; it was rejected by IoOpsFilter: host runs 9; the limit is 8; ' +
        '70 hosts beyond max_placement_results were not asked',
    ],
    [
      'a batch tells how far it came, and of all that fell out on the way',
      [
        pass([['IoOpsFilter', fell(['a'], 'busy', () => 9)]], { selected: { host: 'b', node: 'b' } }),
        pass([['IoOpsFilter', fell(['b'], 'busy', () => 8)]], { index: 1 }),
      ],
      { hosts: 2 },
      '1 of 3 instances fits; no host is left for instance 2: ' +
        '2 hosts (a, b) were rejected by IoOpsFilter: host runs 8 to 9; the limit is 8',
    ],
    [
      'claims that failed are told by how',
      [
        pass([], {
          ranked: 2,
          claims: [
            { host: 'a', node: 'a', candidate: 0, outcome: 'no_capacity', attempts: 1, message: null },
            { host: 'b', node: 'b', candidate: 0, outcome: 'conflict', attempts: 4, message: null },
          ],
        }),
      ],
      { hosts: 2 },
      '2 hosts have room; 2 hosts passed and none could be claimed (no capacity left 1, taken by another request 1)',
    ],
  ])('%s', (_, passes, placement, expected) => {
    const placed = passes.filter(({ selected }) => selected !== null).length;
    const last = passes.at(-1) ?? null;
    const facts = {
      hosts: placement.hosts ?? 1,
      placed,
      last,
      nearestMisses: [],
      withRoom: new Map(),
      instances: 3,
      minCount: 3,
      target: null,
      isClaimLost: false,
      ofPlacement: [],
      conditions: null,
      wording,
    };
    const ofFilters = filterReasons(passes, wording);
    expect(refusalSentence({ ...facts, placement: placementOf(1, placement), ofFilters })).toBe(expected);
  });
});
