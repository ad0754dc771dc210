// Search behaviour beyond the worked examples: order and impossible combinations.

import { worldGraph } from '../../../test/world/world';
import { parseQuery, showCandidate } from '../../../test/world/world-query';
import type { CandidateQuery } from './index';
import { searchCandidates } from './index';
import { Work } from './work';

function shown(drawing: string, query: string, overrides: Partial<CandidateQuery> = {}): readonly string[] {
  const graph = worldGraph(drawing);
  return searchCandidates(graph, parseQuery(query, overrides)).list.map((found) => showCandidate(graph, found));
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
