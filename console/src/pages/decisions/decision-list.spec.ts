import type { KeptDecision } from './decision-list';
import { hostsText, mergeDecisions, parseSearch, placeText, sinceOf, suggestionsOf, tookText } from './decision-list';

const kept = (id: string, at = '2026-01-01T00:00:00.000Z'): KeptDecision => ({
  request_id: id,
  at,
  outcome: 'placed',
  code: null,
  project_id: null,
  num_instances: 1,
  flavor: null,
  image: null,
  duration_ms: null,
  hosts: null,
  hosts_chosen: null,
  sentence: '',
  bytes: 1,
});

const merged = (newest: string, older: string, limit: number): string => {
  const rows = (ids: string): readonly KeptDecision[] => [...ids].map((id) => kept(id));
  const { rows: all, hasGap } = mergeDecisions(rows(newest), rows(older), limit);
  return `${all.map(({ request_id: id }) => id).join('')}${hasGap ? ' gap' : ''}`;
};

describe('newest and older decisions as one list', () => {
  it.each([
    ['dc', 'cba', 'dcba'],
    ['d', '', 'd'],
    ['', '', ''],
    ['fe', 'cba', 'fecba gap'],
    ['f', 'cba', 'fcba'],
  ])('%s before %s is %s', (newest, older, all) => {
    expect(merged(newest, older, 2)).toBe(all);
  });

  it('keeps two decisions of one request apart', () => {
    const [first, second] = [kept('a', '2026-01-01T00:00:00.000Z'), kept('a', '2026-01-01T00:00:01.000Z')];
    expect(mergeDecisions([second], [second, first], 1).rows).toEqual([second, first]);
  });
});

describe('the hosts of a decision', () => {
  it.each([
    [['cn1'], 1, 'cn1'],
    [['cn1', 'cn2'], 2, 'cn1, cn2'],
    [['cn1', 'cn2'], 1_202, 'cn1, cn2 and 1,200 more'],
    [[], 0, null],
    [null, null, null],
  ])('%j of %j', (hosts, chosen, text) => {
    expect(hostsText({ hosts, hosts_chosen: chosen })).toBe(text);
  });
});

describe('the flavor and the hosts of a decision', () => {
  it.each([
    ['placed', 'm1', ['cn1', 'cn2'], 'm1 → cn1, cn2'],
    ['placed', null, ['cn1'], 'a flavor given inline → cn1'],
    ['placed', 'm1', null, 'm1'],
    ['no_valid_host', 'm1', ['cn1'], 'm1'],
  ] as const)('%s, %j on %j', (outcome, flavor, hosts, text) => {
    expect(placeText({ outcome, flavor, hosts: hosts && [...hosts], hosts_chosen: null })).toBe(text);
  });
});

describe('how long a decision took', () => {
  it.each([
    [0, '0 ms'],
    [999, '999 ms'],
    [1_000, '1.0 s'],
    [12_345, '12.3 s'],
    [null, null],
  ])('%j', (ms, text) => {
    expect(tookText(ms)).toBe(text);
  });
});

describe('the search field', () => {
  it.each([
    ['', undefined],
    [' req-12 ', { kind: 'request', id: 'req-12' }],
    ['A44BCD4C-48E0-42B5-A830-816B9F274769', { kind: 'instance', uuid: 'A44BCD4C-48E0-42B5-A830-816B9F274769' }],
    ['a44bcd4c48e042b5a830816b9f274769', { kind: 'instance', uuid: 'a44bcd4c48e042b5a830816b9f274769' }],
    ['cn0042', { kind: 'host', name: 'cn0042' }],
    ['deadbeef', { kind: 'host', name: 'deadbeef' }],
  ])('%j', (typed, searched) => {
    expect(parseSearch(typed)).toEqual(searched);
  });
});

describe('since when', () => {
  const now = Date.parse('2026-01-02T00:00:00.000Z');

  it.each([
    ['24', '2026-01-01T00:00:00.000Z'],
    ['1', '2026-01-01T23:00:00.000Z'],
    ['', undefined],
    ['nonsense', undefined],
  ])('%j hours', (hours, since) => {
    expect(sinceOf(hours, now)).toBe(since);
  });
});

describe('suggestions while typing', () => {
  const uuid = '11111111-1111-4111-8111-111111111111';

  it('offers names once, and searches for an instance by its uuid', () => {
    const hosts = [
      { host: 'cn1', name: 'cn1.example' },
      { host: null, name: 'pool' },
    ];
    const instances = [
      { name: 'web', uuid },
      { name: 'cn1', uuid },
      { name: null, uuid },
    ];
    const { groups, searches } = suggestionsOf(hosts, instances);
    expect(groups).toEqual([
      { group: 'Hosts', items: ['cn1', 'pool'] },
      { group: 'Instances', items: ['web', uuid] },
    ]);
    expect(searches.get('web')).toEqual({ kind: 'instance', uuid });
    expect(searches.get('cn1')).toEqual({ kind: 'host', name: 'cn1' });
  });

  it('has no empty groups', () => {
    expect(suggestionsOf([], []).groups).toEqual([]);
  });
});
