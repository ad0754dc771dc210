import type { MapReport } from '../../service/reports';
import { kindsIn, phraseOf, sentenceOf } from './map-kinds';
import type { Subject } from './map-subject';

const reportOf = (values: readonly (number | null)[]): MapReport => ({
  at: '2026-01-01T00:00:00Z',
  truncated: false,
  zones: [null],
  host_aggregates: [],
  statuses: ['up', 'down'],
  reasons: [
    { kind: 'room', name: 'MEMORY_MB', sentence: 'too little memory left' },
    { kind: 'status', name: 'down', sentence: 'down' },
  ],
  stranded: null,
  hosts: values.map((value, index) => [`u${index}`, `cn${index}`, 0, [], index % 2, value]),
});
const namesOf = (subject: Subject, values: readonly (number | null)[]) => {
  const { kinds, of } = kindsIn(subject, reportOf(values));
  return [...of].map((kind) => kinds[kind]?.key);
};

describe('the kinds of cells', () => {
  it('group usage by tenths, with separate kinds for over-full, unused, and hosts that accept nothing', () => {
    const values = [0, 0.0999, 0.1, 0.55, 0.9999, 1, 1.0001, null];
    const expected = ['0', 'down', '10', 'down', '90', 'down', 'over-full', 'none'];
    expect(namesOf({ kind: 'use', name: 'VCPU' }, values)).toEqual(expected);
  });

  it('separate hosts with and without the trait', () => {
    expect(namesOf({ kind: 'trait', name: 'X' }, [1, 0, null])).toEqual(['yes', 'no', 'no']);
  });

  it('separate hosts without room for the flavor by their reasons', () => {
    expect(namesOf({ kind: 'flavor', name: 'X' }, [1, 0, -1, 0, -7])).toEqual([
      'yes',
      'room:MEMORY_MB',
      'status:down',
      'room:MEMORY_MB',
      'no',
    ]);
  });

  it('group the stranded share by tenths', () => {
    expect(namesOf({ kind: 'stranded', name: 'VCPU' }, [0, 0.25, 1, null])).toEqual(['0', '20', '90', 'none']);
  });

  it('group hosts by status', () => {
    expect(namesOf({ kind: 'status', name: '' }, [null, null])).toEqual(['up', 'down']);
  });

  it('counts every host once', () => {
    const { counts } = kindsIn({ kind: 'trait', name: 'X' }, reportOf([1, 1, 0]));
    expect(counts).toEqual([2, 1]);
  });

  it.each([
    ['use', 'VCPU', '3 of 4 hosts have VCPU, over-full on 1, 1 disabled or down'],
    ['flavor', 'm1.small', '1 of 4 hosts has room for m1.small now'],
    ['stranded', 'VCPU', '2 of 4 hosts have more than 10 % of their VCPU stranded'],
    ['status', '', '2 up, 2 forced down'],
  ] as const)('says of all hosts what the map by %s shows', (kind, name, expected) => {
    const subject: Subject = { kind, name };
    expect(sentenceOf(subject, kindsIn(subject, reportOf([1, 0, 1.5, null])))).toBe(expected);
  });

  it('says of a host what its cell shows', () => {
    const expected = (subject: Subject) =>
      reportOf([0.5, 1.25, null]).hosts.map((host) => phraseOf(subject, host, reportOf([])) ?? 'nothing');
    expect(expected({ kind: 'use', name: 'VCPU' })).toEqual([
      '50 % of VCPU used',
      'VCPU over-full: 125 %',
      'has no VCPU',
    ]);
    expect(reportOf([0, -1]).hosts.map((host) => phraseOf({ kind: 'flavor', name: 'X' }, host, reportOf([])))).toEqual([
      'no room for X: too little memory left',
      'no room for X: forced down',
    ]);
    expect(expected({ kind: 'status', name: '' })).toEqual(['nothing', 'nothing', 'nothing']);
  });
});
