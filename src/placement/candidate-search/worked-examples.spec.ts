// The worked examples of the contract. Candidates without mappings in the expected value are compared without mappings.

import { worldGraph } from '../../../test/world/world';
import { providerUuid } from '../../../test/world/world-description';
import { normalizeCandidate, parseQuery, showCandidate } from '../../../test/world/world-query';
import type { CandidateQuery } from './index';
import { providersOf, searchCandidates, treesOf } from './index';

type Row = readonly [query: string, candidates: readonly string[], overrides?: Partial<CandidateQuery>];

const OLD: Partial<CandidateQuery> = { nestedAware: false };

function answer(drawing: string, query: string, overrides: Partial<CandidateQuery> = {}) {
  const graph = worldGraph(drawing);
  const parsed = parseQuery(query, overrides);
  const candidates = searchCandidates(graph, parsed, {});
  return {
    shown: candidates.list.map((candidate) => showCandidate(graph, candidate)),
    summarised: parsed.nestedAware
      ? treesOf(candidates).flatMap(({ providers }) => providers)
      : providersOf(candidates),
  };
}

function examples(title: string, drawing: string, rows: readonly Row[]): void {
  describe(title, () => {
    for (const [query, candidates, overrides = {}] of rows) {
      it(`${query} ${JSON.stringify(overrides)}`, () => {
        const isMapped = candidates.some((candidate) => candidate.includes('{'));
        const { shown } = answer(drawing, query, overrides);
        const compared = shown.map((text) => (isMapped ? text : text.replace(/ \{.*$/, '')));
        expect(compared.sort()).toEqual(candidates.map(normalizeCandidate).sort());
      });
    }
  });
}

const FLAT = `
  h1  VCPU:8/6  MEMORY_MB:4096(reserved=512,min=256,max=2048,step=256)
  h2  VCPU:2(ratio=4.0,max=2)  MEMORY_MB:4096
  h3  VCPU:3(ratio=1.5)  DISK_GB:100
`;

examples('E1 capacity and units', FLAT, [
  ['resources=VCPU:2', ['h1(VCPU:2)', 'h2(VCPU:2)', 'h3(VCPU:2)']],
  ['resources=VCPU:3', ['h3(VCPU:3)']],
  ['resources=VCPU:4', ['h3(VCPU:4)']],
  ['resources=VCPU:5', []],
  ['resources=MEMORY_MB:300', ['h2(MEMORY_MB:300)']],
  ['resources=MEMORY_MB:2304', ['h2(MEMORY_MB:2304)']],
  ['resources=VCPU:2,MEMORY_MB:512', ['h1(VCPU:2,MEMORY_MB:512)', 'h2(VCPU:2,MEMORY_MB:512)']],
  ['resources=VCPU:1,MEMORY_MB:512,DISK_GB:1', []],
  ['resources=VCPU:99999999999999999999', []],
]);

it('E1 summarises capacity and usage separately', () => {
  const { summarised } = answer(FLAT, 'resources=VCPU:2');
  const facts = summarised.map(({ name, inventories }) => [
    name,
    ...inventories.map(({ resourceClass, capacity, used }) => `${resourceClass} ${capacity} ${used}`),
  ]);
  expect(facts).toEqual([
    ['h1', 'MEMORY_MB 3584 0', 'VCPU 8 6'],
    ['h2', 'MEMORY_MB 4096 0', 'VCPU 8 0'],
    ['h3', 'DISK_GB 100 0', 'VCPU 4 0'],
  ]);
});

const NUMA = `
  host     DISK_GB:200            {CUSTOM_RACK_A}
    numa0  VCPU:4 MEMORY_MB:2048  {HW_CPU_X86_AVX2}
    numa1  VCPU:4 MEMORY_MB:2048
`;
const SPLIT = 'resources=VCPU:2,MEMORY_MB:1024,DISK_GB:10';

examples('E2 unsuffixed classes may split over siblings, one class never', NUMA, [
  [
    SPLIT,
    [
      'numa0(VCPU:2,MEMORY_MB:1024)+host(DISK_GB:10)',
      'numa0(VCPU:2)+numa1(MEMORY_MB:1024)+host(DISK_GB:10)',
      'numa1(VCPU:2)+numa0(MEMORY_MB:1024)+host(DISK_GB:10)',
      'numa1(VCPU:2,MEMORY_MB:1024)+host(DISK_GB:10)',
    ],
  ],
  ['resources=VCPU:5', []],
]);

examples('E3 granular keeps classes together', NUMA, [
  [
    'resources=DISK_GB:10&resources1=VCPU:2,MEMORY_MB:1024',
    [
      'host(DISK_GB:10)+numa0(VCPU:2,MEMORY_MB:1024) {-:host;1:numa0}',
      'host(DISK_GB:10)+numa1(VCPU:2,MEMORY_MB:1024) {-:host;1:numa1}',
    ],
  ],
  ['resources1=VCPU:2,DISK_GB:1', []],
]);

examples('E4 collective traits', NUMA, [
  [
    `${SPLIT}&required=HW_CPU_X86_AVX2`,
    [
      'numa0(VCPU:2,MEMORY_MB:1024)+host(DISK_GB:10)',
      'numa0(VCPU:2)+numa1(MEMORY_MB:1024)+host(DISK_GB:10)',
      'numa1(VCPU:2)+numa0(MEMORY_MB:1024)+host(DISK_GB:10)',
    ],
  ],
  [`${SPLIT}&required=!HW_CPU_X86_AVX2`, ['numa1(VCPU:2,MEMORY_MB:1024)+host(DISK_GB:10)']],
]);

examples('E5 traits of a root that gives nothing do not count; root_required does', NUMA, [
  ['resources=VCPU:2&required=CUSTOM_RACK_A', []],
  [
    'resources=VCPU:2,DISK_GB:1&required=CUSTOM_RACK_A',
    ['host(DISK_GB:1)+numa0(VCPU:2)', 'host(DISK_GB:1)+numa1(VCPU:2)'],
  ],
  ['resources=VCPU:2&required=!CUSTOM_RACK_A', ['numa0(VCPU:2)', 'numa1(VCPU:2)']],
  ['resources=VCPU:2&root_required=CUSTOM_RACK_A', ['numa0(VCPU:2)', 'numa1(VCPU:2)']],
  ['resources=VCPU:2&root_required=!CUSTOM_RACK_A', []],
  ['resources=VCPU:2&root_required=HW_CPU_X86_AVX2', []],
  ['resources=VCPU:1&in_tree={numa1}', ['numa0(VCPU:1)', 'numa1(VCPU:1)']],
]);

examples('E6 before trees were understood', NUMA, [
  ['resources=VCPU:2,DISK_GB:10', [], OLD],
  ['resources=VCPU:2', ['numa0(VCPU:2)', 'numa1(VCPU:2)'], OLD],
  ['resources=VCPU:2,MEMORY_MB:128', ['numa0(VCPU:2,MEMORY_MB:128)', 'numa1(VCPU:2,MEMORY_MB:128)'], OLD],
]);

it('E5 and E6 summarise the whole tree; before 1.29 only providers that give resources', () => {
  const named = (overrides: Partial<CandidateQuery>): readonly string[] =>
    answer(NUMA, 'resources=VCPU:2', overrides).summarised.map(({ name }) => name);
  expect(named({})).toEqual(['host', 'numa0', 'numa1']);
  expect(named(OLD)).toEqual(['numa0', 'numa1']);
});

const SHARING = `
  c1  VCPU:8 DISK_GB:50  @X  {CUSTOM_SSD}
  c2  VCPU:8
  c3  VCPU:8             @X
  s1  DISK_GB:1000       @X  {SHARES CUSTOM_NFS}
  s2  DISK_GB:1000           {SHARES}
`;
const VD = 'resources=VCPU:1,DISK_GB:20';
const C1_BOTH = 'c1(VCPU:1,DISK_GB:20)';
const C1_S1 = 'c1(VCPU:1)+s1(DISK_GB:20)';
const C3_S1 = 'c3(VCPU:1)+s1(DISK_GB:20)';

examples('E7 sharing, traits, roots', SHARING, [
  [VD, [C1_BOTH, C1_S1, C3_S1]],
  ['resources=DISK_GB:500', ['s1(DISK_GB:500)', 's2(DISK_GB:500)']],
  [`${VD}&required=CUSTOM_NFS`, [C1_S1, C3_S1]],
  [`${VD}&required=!CUSTOM_NFS`, [C1_BOTH]],
  [`${VD}&required=CUSTOM_SSD`, [C1_BOTH, C1_S1]],
  [`${VD}&required=CUSTOM_SSD,CUSTOM_NFS`, [C1_S1]],
  ['resources1=VCPU:1,DISK_GB:20', [C1_BOTH]],
  ['resources=VCPU:1&resources1=DISK_GB:20&required1=!CUSTOM_NFS', [`${C1_BOTH} {-:c1;1:c1}`]],
  [`${VD}&root_required=CUSTOM_SSD`, [C1_BOTH, C1_S1]],
  [`${VD}&root_required=CUSTOM_NFS`, []],
  ['resources=DISK_GB:500&root_required=CUSTOM_SSD', ['s1(DISK_GB:500)']],
  ['resources=DISK_GB:500&root_required=!CUSTOM_NFS', ['s1(DISK_GB:500)', 's2(DISK_GB:500)']],
  [`${VD}&member_of={X}`, [C1_BOTH, C1_S1, C3_S1]],
  [`${VD}&member_of=!{X}`, []],
]);

examples('E8 in_tree and sharing', SHARING, [
  [`${VD}&in_tree={c1}`, [C1_BOTH]],
  [`${VD}&in_tree={s1}`, []],
  ['resources=VCPU:1&in_tree={c1}&resources1=DISK_GB:20', [`${C1_BOTH} {-:c1;1:c1}`, `${C1_S1} {-:c1;1:s1}`]],
  ['resources=VCPU:1&resources1=DISK_GB:20&in_tree1={s1}', [C1_S1, C3_S1]],
  ['resources=VCPU:1&in_tree={nobody}', []],
]);

const TOP = `
  top     MEMORY_MB:100
    kid   VCPU:4  @Z
    kid2  VCPU:4
  pool    DISK_GB:100  @Z {SHARES}
`;

examples('E8b an aggregate on a child connects the whole tree', TOP, [
  [
    'resources=VCPU:1,MEMORY_MB:1,DISK_GB:5',
    ['kid(VCPU:1)+top(MEMORY_MB:1)+pool(DISK_GB:5)', 'kid2(VCPU:1)+top(MEMORY_MB:1)+pool(DISK_GB:5)'],
  ],
  ['resources=VCPU:1,DISK_GB:5&member_of={Z}', ['kid(VCPU:1)+pool(DISK_GB:5)']],
  ['resources=MEMORY_MB:1,DISK_GB:5&member_of={Z}', []],
  ['resources=MEMORY_MB:1&resources_D=DISK_GB:5&member_of_D={Z}', ['top(MEMORY_MB:1)+pool(DISK_GB:5) {-:top;_D:pool}']],
]);

const AGGREGATES = `
  rt1   DISK_GB:100  @P
    ka  VCPU:4       @Q
    kb  VCPU:4
  rt2   DISK_GB:100
    kc  VCPU:4       @P
`;
const [KA, KB, KC] = ['ka(VCPU:1)', 'kb(VCPU:1)', 'kc(VCPU:1)'] as const;

examples('E9 member_of', AGGREGATES, [
  ['resources=VCPU:1&member_of={P}', [KA, KB, KC]],
  ['resources=VCPU:1,DISK_GB:1&member_of={P}', [`${KA}+rt1(DISK_GB:1)`, `${KB}+rt1(DISK_GB:1)`]],
  ['resources=VCPU:1&member_of={Q}', [KA]],
  ['resources=VCPU:1,DISK_GB:1&member_of={Q}', []],
  ['resources=VCPU:1&member_of={P}&member_of={Q}', []],
  ['resources1=VCPU:1&member_of1={P}', [KC]],
  ['resources=VCPU:1&member_of=!{P}', []],
  ['resources1=VCPU:1&member_of1=!{P}', [KA, KB]],
  ['resources=VCPU:1&member_of=!{Q}', [KB, KC]],
  ['resources=VCPU:1&member_of=in:{P},{Q}&member_of=!{P}', []],
  ['resources=VCPU:1&member_of={unknown}', []],
  ['resources=VCPU:1&member_of=!{unknown}', [KA, KB, KC]],
]);

const NICS = `
  box     VCPU:16
    nicA  VF:4(max=3)  {CUSTOM_NET_RED}
    nicB  VF:2/1
`;
const TWO = 'resources=VCPU:1&resources1=VF:1&resources2=VF:1';
const A1_B2 = 'box(VCPU:1)+nicA(VF:1)+nicB(VF:1) {-:box;1:nicA;2:nicB}';
const B1_A2 = 'box(VCPU:1)+nicA(VF:1)+nicB(VF:1) {-:box;1:nicB;2:nicA}';
const A_TWICE = 'box(VCPU:1)+nicA(VF:2) {-:box;1:nicA;2:nicA}';

examples('E10 merge and re-check', NICS, [
  [`${TWO}&group_policy=none`, [A1_B2, B1_A2, A_TWICE]],
  [`${TWO}&group_policy=isolate`, [A1_B2, B1_A2]],
  [
    'resources=VCPU:1&resources1=VF:2&resources2=VF:1&group_policy=none',
    ['box(VCPU:1)+nicA(VF:2)+nicB(VF:1)', 'box(VCPU:1)+nicA(VF:3)'],
  ],
  ['resources=VCPU:1&resources1=VF:2&resources2=VF:2&group_policy=none', []],
  [`${TWO}&required1=CUSTOM_NET_RED&group_policy=none`, [A1_B2, A_TWICE]],
]);

examples('E11 mappings tell equal allocations apart', 'box VCPU:16', [
  ['resources1=VCPU:1&resources2=VCPU:1&group_policy=isolate', []],
  ['resources1=VCPU:1&resources2=VCPU:1&group_policy=none', ['box(VCPU:2) {1:box;2:box}']],
]);
examples('E11 with a child', 'R VCPU:8\n  K VCPU:8', [
  [
    'resources1=VCPU:1&resources2=VCPU:1&group_policy=none',
    ['R(VCPU:2) {1:R;2:R}', 'K(VCPU:2) {1:K;2:K}', 'R(VCPU:1)+K(VCPU:1) {1:R;2:K}', 'R(VCPU:1)+K(VCPU:1) {1:K;2:R}'],
  ],
]);

const SAME_CLASS = [
  'box(VCPU:1)+nicA(VF:1)+nicB(VF:1) {-:box,nicA;1:nicB}',
  'box(VCPU:1)+nicA(VF:1)+nicB(VF:1) {-:box,nicB;1:nicA}',
  'box(VCPU:1)+nicA(VF:2) {-:box,nicA;1:nicA}',
];
examples('E12 unsuffixed and granular group on the same class', NICS, [
  ['resources=VCPU:1,VF:1&resources1=VF:1', SAME_CLASS],
  ['resources=VCPU:1,VF:1&resources1=VF:1&group_policy=isolate', SAME_CLASS],
]);

const SUBTREES = `
  srv               {CUSTOM_HOSTTYPE_GPU}
    n0      VCPU:4  {HW_NUMA_ROOT}
      g00   PGPU:1  {CUSTOM_GEN1}
    n1      VCPU:4  {HW_NUMA_ROOT}
      g10   PGPU:1  {CUSTOM_GEN1}
      g11   PGPU:1  {CUSTOM_GEN2}
`;
const GEN = 'resources_A=PGPU:1&required_A=CUSTOM_GEN1&resources_B=PGPU:1&required_B=CUSTOM_GEN2&group_policy=none';
const pairs = (...texts: readonly string[]): string[] =>
  texts.map((text) => {
    const [node = '', card = ''] = text.split('+');
    return `${node}(VCPU:2)+${card}(PGPU:1) {_C:${node};_G:${card}}`;
  });

examples('E13 same_subtree', SUBTREES, [
  [
    'resources_C=VCPU:2&resources_G=PGPU:1&group_policy=none',
    pairs('n0+g00', 'n0+g10', 'n0+g11', 'n1+g00', 'n1+g10', 'n1+g11'),
  ],
  ['resources_C=VCPU:2&resources_G=PGPU:1&group_policy=none&same_subtree=_C,_G', pairs('n0+g00', 'n1+g10', 'n1+g11')],
  [`${GEN}&same_subtree=_A,_B`, []],
  [`${GEN}&required_N=HW_NUMA_ROOT&same_subtree=_N,_A,_B`, ['g10(PGPU:1)+g11(PGPU:1) {_A:g10;_B:g11;_N:n1}']],
  [
    `${GEN}&required_N=CUSTOM_HOSTTYPE_GPU&same_subtree=_N,_A,_B`,
    ['g00(PGPU:1)+g11(PGPU:1) {_A:g00;_B:g11;_N:srv}', 'g10(PGPU:1)+g11(PGPU:1) {_A:g10;_B:g11;_N:srv}'],
  ],
  [
    'resources_C=VCPU:1&resources_G=PGPU:1&resources_H=PGPU:1&group_policy=isolate&same_subtree=_C,_G&same_subtree=_C,_H',
    [
      'n1(VCPU:1)+g10(PGPU:1)+g11(PGPU:1) {_C:n1;_G:g10;_H:g11}',
      'n1(VCPU:1)+g10(PGPU:1)+g11(PGPU:1) {_C:n1;_G:g11;_H:g10}',
    ],
  ],
  [
    'resources=VCPU:1&resources_G=PGPU:1&same_subtree=_G',
    ['n0', 'n1'].flatMap((node) =>
      ['g00', 'g10', 'g11'].map((card) => `${node}(VCPU:1)+${card}(PGPU:1) {-:${node};_G:${card}}`),
    ),
  ],
]);

const NODE_CARD = 'required_N=HW_NUMA_ROOT&resources_C=VCPU:1&resources_G=PGPU:1&same_subtree=_N,_C,_G';
examples('E14 resourceless groups count for isolate', SUBTREES, [
  [
    `${NODE_CARD}&group_policy=none`,
    [
      'n0(VCPU:1)+g00(PGPU:1) {_N:n0;_C:n0;_G:g00}',
      'n1(VCPU:1)+g10(PGPU:1) {_N:n1;_C:n1;_G:g10}',
      'n1(VCPU:1)+g11(PGPU:1) {_N:n1;_C:n1;_G:g11}',
    ],
  ],
  [`${NODE_CARD}&group_policy=isolate`, []],
]);

const resourceless = (query: string): string => `resources_C=VCPU:1&${query}&group_policy=none&same_subtree=_N,_C`;
examples('L7 a resourceless group honours every filter', SUBTREES, [
  [
    resourceless('required_N=!HW_NUMA_ROOT'),
    [
      'n0(VCPU:1) {_C:n0;_N:srv}',
      'n0(VCPU:1) {_C:n0;_N:g00}',
      'n1(VCPU:1) {_C:n1;_N:srv}',
      'n1(VCPU:1) {_C:n1;_N:g10}',
      'n1(VCPU:1) {_C:n1;_N:g11}',
    ],
  ],
  [resourceless('required_N=HW_NUMA_ROOT&in_tree_N={g00}'), ['n0(VCPU:1) {_C:n0;_N:n0}', 'n1(VCPU:1) {_C:n1;_N:n1}']],
  [resourceless('in_tree_N={nobody}'), []],
]);

const DISKS = `
  d1 DISK_GB:10 {SSD CUSTOM_T1}
  d2 DISK_GB:10 {HDD}
  d3 DISK_GB:10 {HDD CUSTOM_T1 CUSTOM_BAD}
  d4 DISK_GB:10
`;
const [D1, D2, D3, D4] = ['d1(DISK_GB:1)', 'd2(DISK_GB:1)', 'd3(DISK_GB:1)', 'd4(DISK_GB:1)'] as const;
examples('E15 any-of', DISKS, [
  ['resources=DISK_GB:1&required=in:SSD,HDD', [D1, D2, D3]],
  ['resources=DISK_GB:1&required=in:SSD,HDD&required=CUSTOM_T1', [D1, D3]],
  ['resources=DISK_GB:1&required=in:SSD,HDD&required=!CUSTOM_BAD', [D1, D2]],
  ['resources=DISK_GB:1&required=in:SSD,CUSTOM_BAD&required=in:HDD,CUSTOM_T1', [D1, D3]],
  ['resources=DISK_GB:1&required=!SSD,!HDD', [D4]],
]);

const COLLECTIVE = `
  x     VCPU:4      {CUSTOM_L}
    xa  DISK_GB:10  {SSD}
    xb  DISK_GB:10  {HDD}
    xc  DISK_GB:10
`;
const xWith = (...names: readonly string[]): string[] => names.map((name) => `x(VCPU:1)+${name}(DISK_GB:1)`);
examples('E16 any-of is collective too', COLLECTIVE, [
  ['resources=VCPU:1,DISK_GB:1&required=in:SSD,HDD&required=CUSTOM_L', xWith('xa', 'xb')],
  ['resources=VCPU:1,DISK_GB:1&required=in:SSD,HDD&required=in:CUSTOM_L,SSD', xWith('xa', 'xb')],
  ['resources=VCPU:1,DISK_GB:1&required=in:CUSTOM_L,SSD', xWith('xa', 'xb', 'xc')],
]);

const POOL = `
  t1   VCPU:4       @Z
  t2   VCPU:4       @Z
  t3   VCPU:4       @Z
  pool DISK_GB:100  @Z {SHARES}
`;
const hosts = (mapping: (host: string) => string): string[] =>
  ['t1', 't2', 't3'].map((host) => `${host}(VCPU:1)+pool(DISK_GB:5) {${mapping(host)}}`);
examples('E17 dedupe and anchors', POOL, [
  ['resources=DISK_GB:5', ['pool(DISK_GB:5)']],
  ['resources=VCPU:1&resources1=DISK_GB:5', hosts((host) => `-:${host};1:pool`)],
  [
    'resources1=VCPU:1&in_tree1={t2}&resources2=DISK_GB:5&in_tree2={pool}&group_policy=isolate',
    ['t2(VCPU:1)+pool(DISK_GB:5) {1:t2;2:pool}'],
  ],
  ['resources=DISK_GB:5&resources1=VCPU:1', hosts((host) => `-:pool;1:${host}`)],
  ['resources=VCPU:1&resources1=DISK_GB:5&limit=1', ['t1(VCPU:1)+pool(DISK_GB:5)']],
]);

it('E17 summarises the pool and the remaining host', () => {
  const { summarised } = answer(POOL, 'resources=VCPU:1&resources1=DISK_GB:5&limit=1');
  expect(summarised.map(({ name }) => name)).toEqual(['t1', 'pool']);
});

const THROUGH_TREE = `
  t     VCPU:2           @Z1,Z2
  disk  DISK_GB:100      @Z1 {SHARES}
  ips   IPV4_ADDRESS:10  @Z2 {SHARES}
`;
examples('E18 pools connected only through a tree', THROUGH_TREE, [
  ['resources=DISK_GB:5,IPV4_ADDRESS:1', ['disk(DISK_GB:5)+ips(IPV4_ADDRESS:1)']],
  ['resources=VCPU:1,DISK_GB:5,IPV4_ADDRESS:1', ['t(VCPU:1)+disk(DISK_GB:5)+ips(IPV4_ADDRESS:1)']],
]);
it('E18 summarises the pools, not the tree between them', () => {
  const { summarised } = answer(THROUGH_TREE, 'resources=DISK_GB:5,IPV4_ADDRESS:1');
  expect(summarised.map(({ name }) => name)).toEqual(['disk', 'ips']);
});

const ONE_AGGREGATE = `
  t     VCPU:2
  disk  DISK_GB:100      @Z {SHARES}
  ips   IPV4_ADDRESS:10  @Z {SHARES}
  solo  IPV4_ADDRESS:4   @Z
`;
examples('E18 pools and a plain provider in one aggregate', ONE_AGGREGATE, [
  [
    'resources=DISK_GB:5,IPV4_ADDRESS:1',
    ['disk(DISK_GB:5)+ips(IPV4_ADDRESS:1)', 'disk(DISK_GB:5)+solo(IPV4_ADDRESS:1)'],
  ],
]);

const ABC = ['A', 'B', 'C']
  .map((root) => [root, ...[1, 2, 3].map((n) => `  ${root}${n} VGPU:1`)].join('\n'))
  .join('\n');
describe('E19 generation options', () => {
  const roots = (overrides: Partial<CandidateQuery>): readonly number[] => {
    const query = parseQuery('resources1=VGPU:1&resources2=VGPU:1&group_policy=none', overrides);
    return searchCandidates(worldGraph(ABC), query, {}).list.map(({ root }) => root.id);
  };
  it.each<[string, Partial<CandidateQuery>, number[]]>([
    ['depth-first takes the first tree', { maxCandidates: 3, strategy: 'depth-first' }, [1, 1, 1]],
    ['breadth-first takes one of each', { maxCandidates: 3, strategy: 'breadth-first' }, [1, 5, 9]],
    ['not configured, reaching the maximum goes broad', { maxCandidates: 3, strategy: null }, [1, 5, 9]],
    ['not configured, a limit below it stays deep', { maxCandidates: 4, limit: 3, strategy: null }, [1, 1, 1]],
    ['breadth-first goes round', { maxCandidates: 5, strategy: 'breadth-first' }, [1, 5, 9, 1, 5]],
    ['so many of each anchor', { perRoot: 2 }, [1, 1, 5, 5, 9, 9]],
    ['a maximum of 0 counts as 1', { maxCandidates: 0 }, [1]],
  ])('%s', (_, overrides, expected) => {
    expect(roots(overrides)).toEqual(expected);
  });
});

const SERVED = `
  one   VCPU:4  @Z
  two   VCPU:4  @Z
  pool  DISK_GB:100  @Z {SHARES}
`;
examples('one root only, with sharing providers of other trees', SERVED, [
  ['resources=VCPU:1,DISK_GB:5', ['two(VCPU:1)+pool(DISK_GB:5)'], { onlyRoots: [providerUuid('two')] }],
  // Placement's own restriction excludes them.
  [`resources=VCPU:1,DISK_GB:5&in_tree=${providerUuid('two')}`, []],
  ['resources=VCPU:1', [], { onlyRoots: [providerUuid('three')] }],
]);

const SHARING_CHILD = `
  far
    farpool  DISK_GB:100  @Z {SHARES}
  near       VCPU:4       @Z
`;
examples('L4 a sharing child whose own tree has nothing else', SHARING_CHILD, [
  ['resources=VCPU:1,DISK_GB:5', ['near(VCPU:1)+farpool(DISK_GB:5) {-:near,farpool}']],
  ['resources=DISK_GB:5', ['farpool(DISK_GB:5)']],
]);

examples('L3 pruning counts what is used', 'r\n  a VGPU:4/3\n  b VGPU:4/4', [
  ['resources1=VGPU:1&resources2=VGPU:1&group_policy=none', []],
]);
