import type { MapReport } from '../../service/reports';
import { groupsOf, orderOf } from './map-groups';

const REPORT: MapReport = {
  at: '2026-01-01T00:00:00Z',
  truncated: false,
  host_aggregates: [
    { uuid: 'a2', name: 'rack-10' },
    { uuid: 'a1', name: 'rack-9' },
    { uuid: 'a3', name: 'empty' },
  ],
  reasons: [],
  stranded: null,
  hosts: [
    { uuid: 'u10', name: 'cn10', zone: 'quay', host_aggregates: [0, 1], status: 'up' },
    { uuid: 'u2', name: 'cn2', zone: 'quay', host_aggregates: [0], status: 'up' },
    { uuid: 'u3', name: 'cn3', zone: null, host_aggregates: [], status: 'up' },
    { uuid: 'u1', name: 'cn1', zone: 'harbour', host_aggregates: [1], status: 'up' },
  ],
};
const ORDER = orderOf(REPORT.hosts.map(({ name }) => name));
const shown = (by: 'availability_zone' | 'host_aggregate') =>
  groupsOf(REPORT, by, ORDER).map(({ name, members }) => [name, members.map((place) => REPORT.hosts[place]?.name)]);

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
