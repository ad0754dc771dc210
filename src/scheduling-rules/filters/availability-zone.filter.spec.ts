import { hostInAggregates } from '../pipeline/pipeline.fixture';
import { filterTable } from '../pipeline/rule-table.fixture';
import { availabilityZoneFilter } from './availability-zone.filter';

const zones = (...names: readonly string[]) => ({
  aggregates: hostInAggregates('h', ...names.map((name) => ({ availability_zone: name }))).aggregates,
});
const rejected = (wanted: string, ...found: readonly string[]) => ({ code: 'other_zone', params: { wanted, found } });

describe('AvailabilityZoneFilter', () => {
  filterTable(availabilityZoneFilter, {
    reproduces: {
      other_zone: {
        rejects: ({ wanted, found }) => !(found as readonly string[]).includes(String(wanted)),
        unless: { wanted: 'z', found: ['z'] },
      },
    },
    rows: [
      {
        rule: 'without a zone every host passes',
        host: zones('z1'),
        spec: { availabilityZone: null },
        verdict: 'pass',
        flip: { spec: { availabilityZone: 'z2' }, verdict: rejected('z2', 'z1') },
      },
      {
        rule: 'the zone must be one of those of the aggregates, comma lists included',
        host: zones('z1', 'z2, z3'),
        spec: { availabilityZone: 'z3' },
        verdict: 'pass',
        flip: { spec: { availabilityZone: 'z4' }, verdict: rejected('z4', 'z1', 'z2', 'z3') },
      },
      {
        rule: 'a host in no zone is in the default zone',
        host: zones(),
        spec: { availabilityZone: 'nova' },
        verdict: 'pass',
        flip: { spec: { availabilityZone: 'z1' }, verdict: rejected('z1', 'nova') },
      },
      {
        rule: 'a host with a zone is not in the default zone',
        host: zones('z1'),
        spec: { availabilityZone: 'nova' },
        verdict: rejected('nova', 'z1'),
        flip: { host: zones(), verdict: 'pass' },
      },
      {
        rule: 'the name of the default zone is configured',
        host: zones(),
        spec: { availabilityZone: 'nova' },
        options: { DEFAULT: { default_availability_zone: 'other' } },
        verdict: rejected('nova', 'other'),
        flip: { spec: { availabilityZone: 'other' }, verdict: 'pass' },
      },
    ],
  });

  it('runs once per request', () => expect(availabilityZoneFilter.once).toBe(true));
});
