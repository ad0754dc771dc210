import type { Advice } from './advice';
import { adviceKeyOf, placeOf, worstFirst } from './advice';

const advice = (kind: Advice['kind'], severity: Advice['severity'], subjects: Advice['subjects'] = []): Advice => ({
  kind,
  severity,
  sentence: kind,
  count: subjects.length,
  subjects,
  commands: [],
  alternatives: [],
  link: null,
  key: null,
});

describe('advice', () => {
  it('has the worst first, and what is equally bad as the service has it', () => {
    const given = [
      advice('unreached_provider', 'note'),
      advice('host_without_zone', 'warning'),
      advice('overfull_inventory', 'error'),
      advice('unknown_consumer', 'warning'),
    ];
    expect(worstFirst(given).map(({ kind }) => kind)).toEqual([
      'overfull_inventory',
      'host_without_zone',
      'unknown_consumer',
      'unreached_provider',
    ]);
  });

  it('distinguishes two of one kind by their subjects', () => {
    const of = (id: string) =>
      adviceKeyOf(advice('broken_group_policy', 'error', [{ kind: 'server_group', id, name: id }]));
    expect(of('g1')).not.toBe(of('g2'));
    expect(of('g1')).toBe(of('g1'));
  });

  it.each<[Advice['subjects'][number], string | undefined]>([
    [{ kind: 'provider', id: 'u1', name: 'cn1_numa0' }, '/hosts/u1'],
    [{ kind: 'host', id: 'cn&1', name: 'cn&1' }, '/hosts?name=cn%261'],
    [{ kind: 'flavor', id: '1', name: 'm1.tiny' }, '/registries/flavors?open=1'],
    [{ kind: 'consumer', id: 'c1', name: 'c1' }, undefined],
  ])('leads from %j to %s', (subject, place) => {
    expect(placeOf(subject)).toBe(place);
  });
});
