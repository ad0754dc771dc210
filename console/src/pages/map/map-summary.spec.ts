import type { MapReport } from '../../service/reports';
import { shadesOf } from './map-kinds';
import { summaryOf } from './map-summary';

const report: MapReport = {
  at: '2026-01-01T00:00:00Z',
  truncated: false,
  host_aggregates: [],
  reasons: [],
  stranded: null,
  hosts: [0.25, 1.25, null, 0.75].map((share, at) => ({
    uuid: `u${at}`,
    name: `cn${at}`,
    zone: null,
    host_aggregates: [],
    status: 'up',
    share,
  })),
};
const shades = shadesOf({ kind: 'use', name: 'VCPU' }, report);
const summary = (members: readonly number[]) => summaryOf({ key: 'z', name: 'z', members }, report, shades);

describe('the map in numbers', () => {
  it('takes the mean of those that have the class, and names the fullest', () => {
    const { meanShare, highest } = summary([0, 1, 2, 3]);
    expect(meanShare).toBeCloseTo(0.75);
    expect(highest?.name).toBe('cn1');
  });

  it('counts the hosts of every kind', () => {
    expect(Object.fromEntries(summary([0, 1, 2, 3]).counts)).toEqual({ 20: 1, 70: 1, 'over-full': 1, none: 1 });
  });

  it('has no mean if no host has the class', () => {
    expect(summary([2])).toMatchObject({ meanShare: undefined, highest: undefined });
  });
});
