import type { MapReport } from '../../service/reports';
import { groupsOf, orderOf } from './map-groups';

const REPORT: MapReport = {
  at: '2026-01-01T00:00:00Z',
  truncated: false,
  zones: ['quay', null, 'harbour', 'empty'],
  host_aggregates: [
    { uuid: 'a2', name: 'rack-10' },
    { uuid: 'a1', name: 'rack-9' },
  ],
  statuses: ['up'],
  reasons: [],
  stranded: null,
  hosts: [
    ['u10', 'cn10', 0, [0, 1], 0, null],
    ['u2', 'cn2', 0, [0], 0, null],
    ['u3', 'cn3', 1, [], 0, null],
    ['u1', 'cn1', 2, [1], 0, null],
  ],
};
const ORDER = orderOf(REPORT.hosts.map(([, name]) => name));
const shown = (by: 'availability_zone' | 'host_aggregate') =>
  groupsOf(REPORT, by, ORDER).map(({ name, members }) => [name, members.map((place) => REPORT.hosts[place]?.[1])]);

describe('the groups of the map', () => {
  it('puts hosts in the order of their numbers', () => {
    expect(ORDER).toEqual([3, 1, 2, 0]);
  });

  it('has a group for each zone with hosts, and those without a zone last', () => {
    expect(shown('availability_zone')).toEqual([
      ['harbour', ['cn1']],
      ['quay', ['cn2', 'cn10']],
      ['No zone', ['cn3']],
    ]);
  });

  it('shows a host in each of its aggregates', () => {
    expect(shown('host_aggregate')).toEqual([
      ['rack-9', ['cn1', 'cn10']],
      ['rack-10', ['cn2', 'cn10']],
      ['No host aggregate', ['cn3']],
    ]);
  });
});
