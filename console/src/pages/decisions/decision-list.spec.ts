import { hostsText, instanceText, parseSearch, placeText, sinceOf, suggestionsOf, tookText } from './decision-list';

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

describe('the instance of a decision', () => {
  const uuid = '11111111-1111-4111-8111-111111111111';

  it.each([
    ['web', uuid, 1, 'web'],
    ['web', uuid, 1_202, 'web and 1,201 more'],
    [null, uuid, 1, '11111111'],
    [null, null, 2, '2 instances'],
    [null, null, 0, '–'],
  ])('%j of %j, %d in all', (name, instance, count, text) => {
    expect(instanceText({ instance, instance_name: name, num_instances: count })).toBe(text);
  });
});
