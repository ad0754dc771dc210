import type { Schema } from '@berth/client';
import { fixesOf } from './fixes';
import { readQuery, writeQuery } from './query-form';

type TriedFix = Schema<'CandidatesExplanation'>['fixes'][number];

const QUERY =
  'resources=VCPU:32,MEMORY_MB:512&required=CUSTOM_X,!CUSTOM_OLD&required=in:A,B&member_of=in:x,y' +
  '&resources_GPU=VGPU:6&group_policy=isolate&same_subtree=_GPU&root_required=R,!D';

const changed = (tried: Partial<TriedFix>): readonly [name: string, query: string | null] => {
  const [fix] = fixesOf(
    [{ kind: 'without', conditions: [], amount: null, trees: 27, ...tried }],
    readQuery(QUERY).query,
  );
  return [fix?.name ?? '', fix === undefined || fix.query === null ? null : writeQuery(fix.query)];
};

it.each<[string, Partial<TriedFix>, string, string | null]>([
  ['a trait', { conditions: ['required=CUSTOM_X'] }, 'Without CUSTOM_X: 27 more trees', 'CUSTOM_X,'],
  [
    'a forbidden trait',
    { conditions: ['required=!CUSTOM_OLD'] },
    'Without forbidding CUSTOM_OLD: 27 more trees',
    ',!CUSTOM_OLD',
  ],
  [
    'alternatives',
    { conditions: ['required=in:A,B'], trees: 1 },
    'Without any of A,B: 1 more tree',
    '&required=in:A,B',
  ],
  ['aggregates', { conditions: ['member_of=in:y,x'] }, 'Without the aggregates: 27 more trees', '&member_of=in:x,y'],
  ['a class', { conditions: ['resources=MEMORY_MB:512'] }, 'Without 512 MEMORY_MB: 27 more trees', ',MEMORY_MB:512'],
  ['a trait of the root', { conditions: ['root_required=!D'] }, 'Without forbidding D: 27 more trees', ',!D'],
  ['same_subtree', { conditions: ['same_subtree=_GPU'] }, 'Without same_subtree: 27 more trees', '&same_subtree=_GPU'],
])('without %s, the query lacks that and nothing else', (_, tried, name, gone) => {
  expect(changed(tried)).toEqual([name, writeQuery(readQuery(QUERY).query).replace(gone ?? '', '')]);
});

it('without a policy it asks for none', () =>
  expect(changed({ conditions: ['group_policy=isolate'] })[1]).toContain('group_policy=none'));

it('a lower amount is of its group', () =>
  expect(changed({ kind: 'amount', conditions: ['resources_GPU=VGPU:6'], amount: 4 })).toEqual([
    'VGPU 4 instead of 6: 27 more trees',
    writeQuery(readQuery(QUERY).query).replace('VGPU:6', 'VGPU:4'),
  ]));

it('a trait to set changes no query', () =>
  expect(changed({ kind: 'trait', conditions: ['required=CUSTOM_X'] })).toEqual([
    'Trait CUSTOM_X on the root: 27 more trees',
    null,
  ]));
