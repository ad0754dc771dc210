import { commandOf, nextSuffix, readQuery, renamed, writeQuery } from './query-form';

const LONG =
  'resources=VCPU:2,MEMORY_MB:4096&required=HW_CPU_X86_AVX2,!COMPUTE_STATUS_DISABLED&required=in:CUSTOM_A,CUSTOM_B' +
  '&member_of=in:u1,u2&member_of=!u3&resources1=SRIOV_NET_VF:1&in_tree1=u4&resources_GPU=VGPU:1' +
  '&group_policy=none&same_subtree=1,_GPU&root_required=CUSTOM_R&limit=10';

describe('a candidates query in a form', () => {
  it('is the query that was read', () => {
    const { query, unknown } = readQuery(LONG);
    expect(unknown).toEqual([]);
    expect(Object.fromEntries(new URLSearchParams(writeQuery(query)))).toEqual(
      Object.fromEntries(new URLSearchParams(LONG)),
    );
    expect(new URLSearchParams(writeQuery(query)).getAll('required')).toEqual(
      new URLSearchParams(LONG).getAll('required'),
    );
    expect(readQuery(writeQuery(query)).query).toEqual(query);
  });

  it('is read with a path in front, and names what it has no place for', () => {
    const { query, unknown } = readQuery(' GET /allocation_candidates?resources=VCPU:1&colour=red ');
    expect(query.groups[0]?.resources).toEqual([{ resourceClass: 'VCPU', amount: '1' }]);
    expect(unknown).toEqual(['colour']);
  });

  it('leaves out what is not filled in', () => {
    const { query } = readQuery('');
    expect(query.groups).toHaveLength(1);
    expect(writeQuery(query)).toBe('');
  });

  it('becomes a command, and says what the command cannot ask', () => {
    const { command, leftOut } = commandOf(readQuery(LONG).query);
    expect(command.split(' \\\n  ')).toEqual([
      'openstack --os-placement-api-version 1.39 allocation candidate list',
      '--resource VCPU=2',
      '--resource MEMORY_MB=4096',
      '--required HW_CPU_X86_AVX2',
      '--forbidden COMPUTE_STATUS_DISABLED',
      '--required CUSTOM_A,CUSTOM_B',
      '--member-of u1,u2',
      '--group 1',
      '--resource SRIOV_NET_VF=1',
      '--group-policy none',
      '--limit 10',
    ]);
    expect(leftOut).toEqual(['member_of=!u3', 'in_tree1', 'group _GPU', 'same_subtree', 'root_required']);
  });

  it('renames the names of a term and keeps its marks', () => {
    const upper = (name: string): string => name.toUpperCase();
    expect(['a', '!a', 'in:a,b', '!in:a,b'].map((term) => renamed(term, upper))).toEqual([
      'A',
      '!A',
      'in:A,B',
      '!in:A,B',
    ]);
  });

  it('finds a suffix that is free', () => {
    expect(nextSuffix(readQuery(LONG).query.groups)).toBe('2');
  });
});
