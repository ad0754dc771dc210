// What each host fails: the condition, the code, and whether the host is near.

import { worldGraph } from '../../../test/world/world';
import { parseQuery } from '../../../test/world/world-query';
import { runToCompletion } from '../../platform/values/task';
import type { CandidateQuery } from './index';
import { failuresText, judgeHosts, PLAIN_WORDING } from './index';

function judged(drawing: string, query: string, overrides: Partial<CandidateQuery> = {}): readonly string[] {
  const hosts = runToCompletion(judgeHosts(worldGraph(drawing), parseQuery(query, overrides)));
  return hosts.flatMap(({ root, failures, isNear }) => {
    const codes = failures.map(({ condition, code, isNever }) => `${condition.kind} ${code}${isNever ? ' ever' : ''}`);
    return codes.length === 0 ? [] : [`${root.name} ${codes.join(', ')}${isNear ? ', near' : ''}`];
  });
}

const cards = (count: number, perCard = 1): string =>
  ['host VCPU:8', ...Array.from({ length: count }, (_, at) => `  card${at} VF:${perCard}`)].join('\n');
const groups = (count: number, amount = 1): string =>
  Array.from({ length: count }, (_, at) => `resources${at + 1}=VF:${amount}`).join('&');

describe('a host fails', () => {
  it.each<[string, string, readonly string[], Partial<CandidateQuery>?]>([
    ['a VCPU:1 {CUSTOM_X}', 'resources=VCPU:1&root_required=CUSTOM_Y', ['a trait missing_trait, near']],
    ['a VCPU:1 {CUSTOM_X}', 'resources=VCPU:1&root_required=!CUSTOM_X', ['a forbidden_trait forbidden_trait, near']],
    ['a VCPU:1\nb VCPU:1', 'resources=VCPU:2&in_tree={a}', ['a resource not_enough_left ever']],
    ['a VCPU:1', 'resources=DISK_GB:1', ['a resource no_inventory ever']],
    ['a VCPU:1\n  k VF:1', 'resources1=VCPU:1,VF:1', ['a together not_on_one_provider']],
    ['a VCPU:4/3', 'resources=VCPU:2', ['a resource not_enough_left, near']],
    ['a VCPU:4/3', 'resources=VCPU:5', ['a resource not_enough_left ever']],
    ['a VCPU:4(min=2)', 'resources=VCPU:1', ['a resource below_min_unit ever']],
    ['a VCPU:4(max=2)', 'resources=VCPU:3', ['a resource above_max_unit ever']],
    ['a VCPU:4(step=2)', 'resources=VCPU:3', ['a resource no_multiple_of_step_size ever']],
    ['a VCPU:4', 'resources1=VCPU:1&required1=CUSTOM_X', ['a trait missing_trait, near']],
    ['a VCPU:4 {CUSTOM_X}', 'resources=VCPU:1&required=!CUSTOM_X', ['a forbidden_trait forbidden_trait, near']],
    ['a VCPU:4', 'resources=VCPU:5&required=CUSTOM_X', ['a resource not_enough_left ever, trait missing_trait']],
    ['a VCPU:4', 'resources=VCPU:1&member_of={x}', ['a aggregate not_a_member, near']],
    ['a VCPU:4 @x', 'resources1=VCPU:1&member_of1=!{x}', ['a forbidden_aggregate in_forbidden_aggregate, near']],
    ['a VCPU:4\ns DISK_GB:9 {SHARES} @x', 'resources=VCPU:1,DISK_GB:1', ['a resource not_connected ever']],
    [cards(2, 8), `${groups(3)}&group_policy=isolate`, ['host together group_policy, near']],
    [cards(1, 2), `${groups(3)}&group_policy=none`, ['host resource sum_does_not_fit ever']],
    [cards(1, 2).replace('VF:2', 'VF:2/1'), `${groups(2)}&group_policy=none`, ['host resource sum_does_not_fit, near']],
    [cards(2), 'resources=VF:2', ['host resource on_several_providers, near']],
    [
      'r\n  n VCPU:1\n  g PGPU:1',
      'resources1=VCPU:1&resources2=PGPU:1&same_subtree=1,2',
      ['r together same_subtree, near'],
    ],
    [
      'r VCPU:1\n  g PGPU:1',
      'resources=VCPU:1,PGPU:1',
      ['r together needs_several_providers_of_one_tree'],
      { nestedAware: false },
    ],
    ['s DISK_GB:9 {SHARES} @x\nt VCPU:1 @x', 'resources=DISK_GB:1', []],
  ])('%j %s', (drawing, query, expected, overrides = {}) => {
    expect(judged(drawing, query, overrides)).toEqual(expected);
  });

  it.each<[string, string, string]>([
    ['a VCPU:4/3', 'resources=VCPU:2', 'lacks 1 VCPU (1 free, 2 asked)'],
    ['a VCPU:4', 'resources=VCPU:9', 'can never hold 9 VCPU (capacity 4)'],
    ['a VCPU:4(max=2)', 'resources=VCPU:3', 'can never hold 3 VCPU (max_unit 2)'],
    ['a\n  k VF:2/2', 'resources=VF:1', 'lacks 1 SRIOV_NET_VF on k (0 free, 1 asked)'],
    ['a VCPU:4', 'resources=PGPU:1&required=CUSTOM_X', 'has no PGPU; lacks trait CUSTOM_X'],
  ])('%j %s in words', (drawing, query, expected) => {
    const [host] = runToCompletion(judgeHosts(worldGraph(drawing), parseQuery(query)));
    expect(failuresText(host?.failures ?? [], PLAIN_WORDING)).toBe(expected);
  });
});
