import type { Schema } from '@berth/client';
import { fixesOf } from './fixes';
import { readQuery, writeQuery } from './query-form';

type TriedFix = Schema<'CandidatesExplanation'>['fixes'][number];
type Condition = Schema<'WhyNotCondition'>;

const QUERY =
  'resources=VCPU:32,MEMORY_MB:512&required=CUSTOM_X,!CUSTOM_OLD&required=in:A,B&member_of=in:x,y' +
  '&resources_GPU=VGPU:6&group_policy=isolate&same_subtree=_GPU&root_required=R,!D';

const condition = (kind: Condition['kind'], names: string[], groups = ['']): Condition => ({
  kind,
  names,
  groups,
  what: '',
  amount: null,
  origins: [],
});

const changed = (tried: Partial<TriedFix>): string | null => {
  const fix: TriedFix = {
    kind: 'without',
    conditions: [],
    amount: null,
    aggregate: null,
    hosts: 27,
    text: '',
    ...tried,
  };
  const [found] = fixesOf([fix], readQuery(QUERY).query);
  return found === undefined || found.query === null ? null : writeQuery(found.query);
};

it.each<[string, Condition, string]>([
  ['a trait', condition('trait', ['CUSTOM_X']), 'CUSTOM_X,'],
  ['a forbidden trait', condition('forbidden_trait', ['CUSTOM_OLD']), ',!CUSTOM_OLD'],
  ['alternatives', condition('trait', ['B', 'A']), '&required=in:A,B'],
  ['aggregates', condition('aggregate', ['y', 'x']), '&member_of=in:x,y'],
  ['a class', condition('resource', ['MEMORY_MB']), ',MEMORY_MB:512'],
  ['a trait of the root', condition('forbidden_trait', ['D'], []), ',!D'],
  ['same_subtree', condition('together', ['_GPU'], []), '&same_subtree=_GPU'],
])('without %s, the query lacks that and nothing else', (_, each, gone) => {
  expect(changed({ conditions: [each] })).toBe(writeQuery(readQuery(QUERY).query).replace(gone, ''));
});

it('without a policy it asks for none', () =>
  expect(changed({ conditions: [condition('together', ['group_policy'], [])] })).toContain('group_policy=none'));

it('a lower amount is of its group', () =>
  expect(changed({ kind: 'amount', conditions: [condition('resource', ['VGPU'], ['_GPU'])], amount: 4 })).toBe(
    writeQuery(readQuery(QUERY).query).replace('VGPU:6', 'VGPU:4'),
  ));

it('a trait to set changes no query', () =>
  expect(changed({ kind: 'trait', conditions: [condition('trait', ['CUSTOM_X'])] })).toBeNull());
