import { filterTable } from '../pipeline/rule-table.fixture';
import { flavor } from './capacity-rules.fixture';
import { typeAffinityFilter } from './type-affinity.filter';

const running = (...flavors: readonly (string | null)[]) => ({
  instances: new Map(
    flavors.map((name, at) => [`i${at}`, { uuid: `i${at}`, projectId: null, flavor: name, imageProperties: {} }]),
  ),
});
const rejected = (wanted: string, ...found: readonly string[]) => ({ code: 'other_flavor', params: { wanted, found } });

describe('TypeAffinityFilter', () => {
  filterTable(typeAffinityFilter, {
    reproduces: {
      other_flavor: {
        rejects: ({ wanted, found }) => (found as readonly string[]).some((name) => name !== wanted),
        unless: { wanted: 'm1', found: ['m1'] },
      },
    },
    rows: [
      {
        rule: 'an empty host takes every flavor; one with another flavor does not',
        host: running(),
        spec: flavor({ name: 'm1' }),
        verdict: 'pass',
        flip: { host: running('m2'), verdict: rejected('m1', 'm2') },
      },
      {
        rule: 'instances of the same flavor are welcome; one of another rejects',
        host: running('m1', 'm1'),
        spec: flavor({ name: 'm1' }),
        verdict: 'pass',
        flip: { host: running('m1', 'm2', 'm2', 'm3'), verdict: rejected('m1', 'm2', 'm3') },
      },
      {
        rule: 'an instance of unknown flavor excludes no host; a flavor without a name shares with no named one',
        host: running(null),
        spec: flavor({ name: null }),
        verdict: 'pass',
        flip: { host: running('m1'), verdict: rejected('one without a name', 'm1') },
      },
    ],
  });

  it('runs for every instance of a batch', () => expect(typeAffinityFilter.once).toBe(false));
});
