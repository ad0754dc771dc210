import { hostInAggregates, requestSpec } from '../pipeline/pipeline.fixture';
import { filterTable } from '../pipeline/rule-table.fixture';
import { aggregateTypeAffinityFilter } from './aggregate-type-affinity.filter';

const named = (name: string | null) => ({ flavor: { ...requestSpec().flavor, name } });
const listing = (...lists: readonly string[]) => ({
  aggregates: hostInAggregates('h', ...lists.map((list) => ({ instance_type: list }))).aggregates,
});
const rejected = (wanted: string, ...found: readonly string[]) => ({
  code: 'flavor_not_listed',
  params: { wanted, found },
});

describe('AggregateTypeAffinityFilter', () => {
  filterTable(aggregateTypeAffinityFilter, {
    reproduces: {
      flavor_not_listed: {
        rejects: ({ wanted, found }) => !(found as readonly string[]).includes(String(wanted)),
        unless: { wanted: 'm1', found: ['m1'] },
      },
    },
    rows: [
      {
        rule: 'hosts of no aggregate with the key take every flavor',
        host: { aggregates: hostInAggregates('h', { other: 'm1' }).aggregates },
        spec: named('m1'),
        verdict: 'pass',
        flip: { host: listing('m2'), verdict: rejected('m1', 'm2') },
      },
      {
        rule: 'the name must be in the list of one aggregate, split on commas and trimmed',
        host: listing('m2', 'm3 , m1'),
        spec: named('m1'),
        verdict: 'pass',
        flip: { spec: named('m'), verdict: rejected('m', 'm2', 'm3', 'm1') },
      },
      {
        rule: 'names are compared exactly',
        host: listing('M1'),
        spec: named('m1'),
        verdict: rejected('m1', 'M1'),
        flip: { spec: named('M1'), verdict: 'pass' },
      },
      {
        rule: 'an empty list takes no flavor',
        host: listing(''),
        spec: named('m1'),
        verdict: rejected('m1', ''),
        flip: { host: listing('', 'm1'), verdict: 'pass' },
      },
      {
        rule: 'a flavor without a name is in no list',
        host: listing('m1'),
        spec: named(null),
        verdict: rejected('one without a name', 'm1'),
        flip: { spec: named('m1'), verdict: 'pass' },
      },
    ],
  });

  it('runs once per request', () => expect(aggregateTypeAffinityFilter.once).toBe(true));
});
