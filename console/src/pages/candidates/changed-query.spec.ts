import type { Schema } from '@berth/client';
import { changedQuery } from './changed-query';
import { readQuery, writeQuery } from './query-form';

type Change = Schema<'RequestFix'>;
type Condition = Schema<'WhyNotCondition'>;

const QUERY =
  'resources=VCPU:32,MEMORY_MB:512&required=CUSTOM_X,!CUSTOM_OLD&required=in:A,B&member_of=in:x,y' +
  '&resources_GPU=VGPU:6&group_policy=isolate&same_subtree=_GPU&root_required=R,!D';

const condition = (kind: Condition['kind'], names: string[], groups: string[] = ['']): Condition => ({
  kind,
  what: '',
  names,
  amount: null,
  groups,
  origins: [],
});

const NOTHING: Change = { kind: 'without', conditions: [], amount: null, aggregate: null, hosts: 27, text: '' };

const changed = (change: Partial<Change>): string | undefined => {
  const query = changedQuery(readQuery(QUERY).query, { ...NOTHING, ...change });
  return query && writeQuery(query);
};

it.each<[string, Condition, string]>([
  ['a trait', condition('trait', ['CUSTOM_X']), 'CUSTOM_X,'],
  ['a forbidden trait', condition('forbidden_trait', ['CUSTOM_OLD']), ',!CUSTOM_OLD'],
  ['alternatives', condition('trait', ['B', 'A']), '&required=in:A,B'],
  ['aggregates', condition('aggregate', ['y', 'x']), '&member_of=in:x,y'],
  ['a class', condition('resource', ['MEMORY_MB']), ',MEMORY_MB:512'],
  ['a trait of the root', condition('trait', ['R'], []), 'R,'],
  ['a forbidden trait of the root', condition('forbidden_trait', ['D'], []), ',!D'],
  ['same_subtree', condition('together', ['_GPU']), '&same_subtree=_GPU'],
])('without %s, the query lacks that and nothing else', (_, each, gone) => {
  expect(changed({ conditions: [each] })).toBe(writeQuery(readQuery(QUERY).query).replace(gone, ''));
});

it('without a policy it asks for none', () => {
  expect(changed({ conditions: [condition('group_policy', ['isolate'], [])] })).toContain('group_policy=none');
});

it('a lower amount is of its group', () => {
  const vgpu = condition('resource', ['VGPU'], ['_GPU']);
  expect(changed({ kind: 'amount', conditions: [vgpu], amount: 4 })).toBe(
    writeQuery(readQuery(QUERY).query).replace('VGPU:6', 'VGPU:4'),
  );
});

it.each<[string, Partial<Change>]>([
  ['a trait to set', { kind: 'trait', conditions: [condition('trait', ['CUSTOM_X'])] }],
  ['another filter', { conditions: [condition('filter', ['ComputeFilter'])] }],
])('%s changes no query', (_, change) => {
  expect(changed(change)).toBeUndefined();
});
