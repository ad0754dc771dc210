import type { MapReport } from '../../service/reports';
import { kindsIn } from './map-kinds';
import { summaryOf } from './map-summary';

const report: MapReport = {
  at: '2026-01-01T00:00:00Z',
  truncated: false,
  zones: [null],
  host_aggregates: [],
  statuses: ['up'],
  reasons: [],
  stranded: null,
  hosts: [
    ['u0', 'cn0', 0, [], 0, 0.25],
    ['u1', 'cn1', 0, [], 0, 1.25],
    ['u2', 'cn2', 0, [], 0, null],
    ['u3', 'cn3', 0, [], 0, 0.75],
  ],
};
const { kinds, of } = kindsIn({ kind: 'use', name: 'VCPU' }, report);
const summary = (members: readonly number[]) =>
  summaryOf({ key: 'z', name: 'z', members }, report, { kindOf: of, kinds: kinds.length });

describe('the map in numbers', () => {
  it('takes the mean of those that have the class, and names the fullest', () => {
    const { meanUse, fullest } = summary([0, 1, 2, 3]);
    expect(meanUse).toBeCloseTo(0.75);
    expect(fullest?.[1]).toBe('cn1');
  });

  it('counts the hosts of every kind', () => {
    const { counts } = summary([0, 1, 2, 3]);
    const kindCounts = kinds.flatMap(({ key }, index) => ((counts[index] ?? 0) > 0 ? [[key, counts[index]]] : []));
    expect(kindCounts).toEqual([
      ['20', 1],
      ['70', 1],
      ['over-full', 1],
      ['none', 1],
    ]);
  });

  it('has no mean if no host has the class', () => {
    expect(summary([2])).toMatchObject({ meanUse: undefined, fullest: undefined });
  });
});
