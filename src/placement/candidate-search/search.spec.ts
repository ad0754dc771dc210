// Search behaviour beyond the worked examples: order, impossible combinations, and the trace.

import { worldGraph } from '../../../test/world/world';
import { parseQuery, showCandidate } from '../../../test/world/world-query';
import type { CandidateQuery } from './index';
import { RecordingTrace, searchCandidates } from './index';
import { Work } from './work';

function shown(drawing: string, query: string, overrides: Partial<CandidateQuery> = {}): readonly string[] {
  const graph = worldGraph(drawing);
  return searchCandidates(graph, parseQuery(query, overrides)).list.map((found) => showCandidate(graph, found));
}

function rejections(drawing: string, query: string, overrides: Partial<CandidateQuery> = {}): readonly string[] {
  const trace = new RecordingTrace();
  searchCandidates(worldGraph(drawing), parseQuery(query, overrides), { trace });
  return trace.rejections.map(({ root, group, stage, code }) => `${root.id} ${group ?? '*'} ${stage} ${code}`);
}

const cards = (count: number, perCard = 1): string =>
  ['host VCPU:8', ...Array.from({ length: count }, (_, at) => `  card${at} VF:${perCard}`)].join('\n');
const groups = (count: number, amount = 1): string =>
  Array.from({ length: count }, (_, at) => `resources${at + 1}=VF:${amount}`).join('&');

describe('order', () => {
  it('is by anchor, then by the providers of the slots, whatever the order of the query', () => {
    const drawing = 'b VCPU:4\n  b1 VF:2\n  b2 VF:2\na VCPU:4\n  a1 VF:2';
    const expected = ['b1', 'b2', 'a1'].map(
      (card) => `${card[0]}(VCPU:1)+${card}(SRIOV_NET_VF:1) {-:${card[0]};1:${card}}`,
    );
    expect(shown(drawing, 'resources=VCPU:1&resources1=VF:1')).toEqual(expected);
    expect(shown(drawing, 'resources1=VF:1&resources=VCPU:1')).toEqual(expected);
  });
});

describe('wide trees', () => {
  it.each<[string, string, string, number]>([
    ['sixteen isolated groups over fifteen providers', cards(15, 8), `${groups(16)}&group_policy=isolate`, 50],
    ['sixteen units over fifteen', cards(15), `${groups(16)}&group_policy=none`, 500],
    ['twelve times 3 over eleven times 5', cards(11, 5), `${groups(12, 3)}&group_policy=none`, 1_500],
  ])('%s are refuted without enumeration', (_, drawing, query, stepsMax) => {
    const work = new Work();
    const { list, truncated } = searchCandidates(worldGraph(drawing), parseQuery(query), { work });
    expect([list.length, truncated]).toEqual([0, false]);
    expect(work.done).toBeLessThan(stepsMax);
  });

  it('decide larger amounts first among slots with equally many choices', () => {
    const query = 'resources1=VF:1&resources2=VF:2&group_policy=none&limit=2';
    const [first, second] = [
      'card0(SRIOV_NET_VF:3) {1:card0;2:card0}',
      'card0(SRIOV_NET_VF:2)+card1(SRIOV_NET_VF:1) {1:card1;2:card0}',
    ];
    expect(shown(cards(2, 3), query)).toEqual([first, second]);
  });
});

it('more than thirty collective traits all count', () => {
  const names = Array.from({ length: 35 }, (_, at) => `CUSTOM_T${at}`);
  const query = `resources=VCPU:1,DISK_GB:1&required=${names.join()}`;
  const drawing = (last: string): string =>
    `r VCPU:1 {${names.slice(0, 20).join()}}\n  k DISK_GB:1 {${[...names.slice(20, 34), last].join()}}`;
  expect([shown(drawing('CUSTOM_T34'), query).length, shown(drawing('CUSTOM_X'), query).length]).toEqual([1, 0]);
});

describe('the trace records why an anchor has no candidate', () => {
  it.each<[string, string, readonly string[], Partial<CandidateQuery>?]>([
    ['a VCPU:1 {CUSTOM_X}', 'resources=VCPU:1&root_required=CUSTOM_Y', ['1 * root missing_trait']],
    ['a VCPU:1 {CUSTOM_X}', 'resources=VCPU:1&root_required=!CUSTOM_X', ['1 * root forbidden_trait']],
    ['a VCPU:1\nb VCPU:1', 'resources=VCPU:1&in_tree={a}', ['2  in_tree other_tree']],
    ['a VCPU:1', 'resources=DISK_GB:1', ['1  class no_inventory']],
    ['a VCPU:1\n  k VF:1', 'resources1=VCPU:1,VF:1', ['1 1 class not_on_one_provider']],
    ['a VCPU:4/3', 'resources=VCPU:2', ['1  room not_enough_left']],
    ['a VCPU:4(min=2)', 'resources=VCPU:1', ['1  room below_min_unit']],
    ['a VCPU:4(max=2)', 'resources=VCPU:3', ['1  room above_max_unit']],
    ['a VCPU:4(step=2)', 'resources=VCPU:3', ['1  room no_multiple_of_step_size']],
    ['a VCPU:4', 'resources1=VCPU:1&required1=CUSTOM_X', ['1 1 traits missing_trait']],
    ['a VCPU:4 {CUSTOM_X}', 'resources=VCPU:1&required=!CUSTOM_X', ['1  traits forbidden_trait']],
    ['a VCPU:4', 'resources=VCPU:1&required=CUSTOM_X', ['1  traits not_collectively_met']],
    ['a VCPU:4', 'resources=VCPU:1&member_of={x}', ['1  aggregates not_a_member']],
    ['a VCPU:4 @x', 'resources1=VCPU:1&member_of1=!{x}', ['1 1 aggregates in_forbidden_aggregate']],
    ['a VCPU:4 @x', 'resources=VCPU:1&member_of=!{x}', ['1  aggregates root_in_forbidden_aggregate']],
    [
      'a VCPU:4\ns DISK_GB:9 {SHARES} @x',
      'resources=VCPU:1,DISK_GB:1',
      ['1  sharing not_connected', '2  class no_inventory'],
    ],
    [cards(2, 8), `${groups(3)}&group_policy=isolate`, ['1 * group_policy not_enough_different_providers']],
    [cards(1, 2), `${groups(3)}&group_policy=none`, ['1 * merged_capacity sum_does_not_fit']],
    [
      'r\n  n VCPU:1\n  g PGPU:1',
      'resources1=VCPU:1&resources2=PGPU:1&same_subtree=1,2',
      ['1 * same_subtree no_common_subtree'],
    ],
    [
      'r VCPU:1\n  g PGPU:1',
      'resources=VCPU:1,PGPU:1',
      ['1 * combine needs_several_providers_of_one_tree'],
      { nestedAware: false },
    ],
    ['s DISK_GB:9 {SHARES} @x\nt VCPU:1 @x', 'resources=DISK_GB:1', ['2 * combine same_as_other_anchor']],
  ])('%j %s', (drawing, query, expected, overrides = {}) => {
    expect(rejections(drawing, query, overrides)).toEqual(expected);
  });

  it('with numbers', () => {
    const trace = new RecordingTrace();
    searchCandidates(worldGraph('a VCPU:4/3'), parseQuery('resources=VCPU:2'), { trace });
    expect(trace.rejections[0]?.params).toMatchObject({ resource_class: 'VCPU', asked: 2, capacity: 4, used: 3 });
  });

  it('and is cleared when the search restarts', () => {
    const drawing = 'none\na\n  a1 VF:1\n  a2 VF:1\nb\n  b1 VF:1';
    expect(rejections(drawing, 'resources=VF:1', { maxCandidates: 2, strategy: null })).toEqual([
      '1  class no_inventory',
    ]);
  });
});
