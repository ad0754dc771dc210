import type { MapReport } from '../../service/reports';
import type { MapHost } from './map-groups';
import { shadesOf } from './map-kinds';
import type { Subject } from './map-subject';

type Value = Pick<MapHost, 'share' | 'has' | 'fits' | 'reason'>;

/** Hosts alternate between up and down. */
const reportOf = (values: readonly Value[]): MapReport => ({
  at: '2026-01-01T00:00:00Z',
  truncated: false,
  host_aggregates: [],
  reasons: [
    { kind: 'resource', name: 'MEMORY_MB', sentence: 'lacks MEMORY_MB' },
    { kind: 'status', name: 'down', sentence: 'down' },
  ],
  stranded: null,
  hosts: values.map((value, index) => ({
    uuid: `u${index}`,
    name: `cn${index}`,
    zone: null,
    host_aggregates: [],
    status: index % 2 === 0 ? 'up' : 'down',
    ...value,
  })),
});
const shares = (...values: readonly (number | null)[]): readonly Value[] => values.map((share) => ({ share }));
const has = (...values: readonly boolean[]): readonly Value[] => values.map((each) => ({ has: each }));
const FITS: Value = { fits: true };
const not = (reason: number): Value => ({ fits: false, reason });

const USE: Subject = { kind: 'use', name: 'VCPU' };
const STRANDED: Subject = { kind: 'stranded', name: 'VCPU' };
const TRAIT: Subject = { kind: 'trait', name: 'X' };
const FLAVOR: Subject = { kind: 'flavor', name: 'm1.small' };
const STATUS: Subject = { kind: 'status', name: '' };

const keysOf = (subject: Subject, values: readonly Value[]) => shadesOf(subject, reportOf(values)).keys;

describe('the kinds of cells', () => {
  it('group usage by tenths, with separate kinds for over-full, unused, and hosts that accept nothing', () => {
    const values = shares(0, 0.0999, 0.1, 0.55, 0.9999, 1, 1.0001, null);
    const expected = ['0', 'down', '10', 'down', '90', 'down', 'over-full', 'none'];
    expect(keysOf(USE, values)).toEqual(expected);
  });

  it('separate hosts with and without the trait', () => {
    expect(keysOf(TRAIT, has(true, false, false))).toEqual(['yes', 'no', 'no']);
  });

  it('separate hosts without room for the flavor by their reasons', () => {
    expect(keysOf(FLAVOR, [FITS, not(0), not(1), not(0), not(7)])).toEqual([
      'yes',
      'resource:MEMORY_MB',
      'status:down',
      'resource:MEMORY_MB',
      'no',
    ]);
  });

  it('group the stranded share by tenths', () => {
    expect(keysOf(STRANDED, shares(0, 0.25, 1, null))).toEqual(['0', '20', '90', 'none']);
  });

  it('group hosts by status', () => {
    expect(keysOf(STATUS, [{}, {}])).toEqual(['up', 'down']);
  });

  it('have one entry of the legend for each host', () => {
    const { kinds, keys, counts } = shadesOf(TRAIT, reportOf(has(true, true, false)));
    expect(Object.fromEntries(counts)).toEqual({ yes: 2, no: 1 });
    expect(keys.every((key) => kinds.some((kind) => kind.key === key))).toBe(true);
  });

  it.each([
    [USE, shares(1, 0, 1.5, null), '3 of 4 hosts have VCPU, over-full on 1, 1 disabled or down'],
    [FLAVOR, [FITS, not(0), not(0), not(0)], '1 of 4 hosts has room for m1.small now'],
    [STRANDED, shares(1, 0, 1, null), '2 of 4 hosts have more than 10 % of their VCPU stranded'],
    [STATUS, [{}, {}, {}, {}], '2 up, 2 forced down'],
  ] as const)('says of all hosts what the map by $kind shows', (subject, values, expected) => {
    expect(shadesOf(subject, reportOf(values)).sentence).toBe(expected);
  });

  it.each([
    [USE, shares(0.5, 1.25, null), ['50 % of VCPU used', 'VCPU over-full: 125 %', 'has no VCPU']],
    [
      FLAVOR,
      [FITS, not(0), not(1)],
      ['has room for m1.small', 'no room for m1.small: lacks MEMORY_MB', 'no room for m1.small: forced down'],
    ],
    [STATUS, [{}], ['nothing']],
  ] as const)('says of a host what its cell shows by $kind', (subject, values, expected) => {
    const report = reportOf(values);
    const { phraseOf = () => 'nothing' } = shadesOf(subject, report);
    expect(report.hosts.map(phraseOf)).toEqual(expected);
  });
});
