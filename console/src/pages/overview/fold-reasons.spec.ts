import { foldReasons } from './fold-reasons';

const reason = (sentence: string, refusals = 1, hosts = 1, name = 'placement') => ({
  name,
  code: sentence.length.toString(),
  refusals,
  hosts,
  sentence,
  last: `req-${sentence}`,
});

describe('reasons that are alike', () => {
  it('are one if they differ by a name, which is kept', () => {
    const folded = foldReasons([
      reason('the root provider has trait CUSTOM_A, which is forbidden', 3, 5),
      reason('the compute service is forced down', 2),
      reason('the root provider has trait CUSTOM_B, which is forbidden', 2, 4),
      reason('the root provider has trait CUSTOM_B, which is forbidden', 1, 1),
    ]);
    expect(folded).toMatchObject([
      { sentence: 'the root provider has trait CUSTOM_A, which is forbidden', others: ['CUSTOM_B'], reasons: 3 },
      { sentence: 'the compute service is forced down', others: [], reasons: 1 },
    ]);
    expect(folded[0]).toMatchObject({ refusals: 3, hosts: 10 });
  });

  it('are one if they differ by amounts', () => {
    const folded = foldReasons([
      reason('MEMORY_MB: 16384 used + 131072 asked > 65536 capacity'),
      reason('MEMORY_MB: 0 used + 131072 asked > 32768 capacity'),
      reason('DISK_GB: 100 used + 500 asked > 500 capacity'),
    ]);
    expect(folded).toMatchObject([{ others: ['DISK_GB'], reasons: 3 }]);
  });

  it.each([
    ['two names', 'no provider of cn1 has A', 'no provider of cn2 has B'],
    ['their length', 'no provider has A', 'no provider of cn1 has A'],
  ])('stay apart where they differ by %s', (_what, one, other) => {
    expect(foldReasons([reason(one), reason(other)])).toHaveLength(2);
  });

  it('stay apart if other filters say them', () => {
    expect(foldReasons([reason('no'), reason('no', 1, 1, 'ComputeFilter')])).toHaveLength(2);
  });
});
