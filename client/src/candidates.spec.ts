// The query string of a candidates query.
import type { CandidateQuery } from './index.ts';
import { candidateParams } from './index.ts';

it.each<[CandidateQuery, string]>([
  [{}, ''],
  [{ resources: { VCPU: 2, MEMORY_MB: 512 } }, 'resources=VCPU:2,MEMORY_MB:512'],
  [{ required: ['A', '!B'] }, 'required=A&required=!B'],
  [{ required: [['A', 'B'], 'C'] }, 'required=in:A,B&required=C'],
  [{ memberOf: [['a', 'b'], '!c', '!in:d,e'] }, 'member_of=in:a,b&member_of=!c&member_of=!in:d,e'],
  [{ inTree: 'u' }, 'in_tree=u'],
  [{ rootRequired: ['A', '!B'] }, 'root_required=A,!B'],
  [{ rootRequired: [], sameSubtree: [], groups: {}, resources: {} }, ''],
  [{ limit: 10 }, 'limit=10'],
  [
    {
      resources: { VCPU: 1 },
      groups: {
        _NET: { resources: { SRIOV_NET_VF: 1 }, required: ['CUSTOM_PHYSNET'] },
        '2': { memberOf: ['a'], inTree: 'u' },
      },
      groupPolicy: 'isolate',
      sameSubtree: [
        ['_NET', '2'],
        ['', '2'],
      ],
    },
    'resources=VCPU:1&member_of2=a&in_tree2=u&resources_NET=SRIOV_NET_VF:1&required_NET=CUSTOM_PHYSNET' +
      '&group_policy=isolate&same_subtree=_NET,2&same_subtree=,2',
  ],
])('%j', (query, text) => expect(decodeURIComponent(candidateParams(query).toString())).toBe(text));

it('leaves a query string that is one already as it is', () => {
  const given = new URLSearchParams('resources=VCPU:1&limit=2');
  const params = candidateParams(given);
  params.append('limit', '3');
  expect([params.toString(), given.toString()]).toEqual([
    'resources=VCPU%3A1&limit=2&limit=3',
    'resources=VCPU%3A1&limit=2',
  ]);
});
