import { emptiedBy, fallenOf, stagesOf } from './decision-stages';
import { decision, pass, placement, stage } from './decision.fixture';

const lines = (...given: Parameters<typeof stagesOf>): readonly string[] =>
  stagesOf(...given).map(({ name, before, left }) => `${name}: ${before ?? '-'} > ${left}`);

describe('a decision as a funnel', () => {
  it('begins with every tree that Placement judged, if it recorded them', () => {
    const rejections = { by_code: { missing_trait: 3, not_enough_left: 4 }, hosts: [], truncated: true };
    const asked = placement({ hosts: 5, candidates: 9, not_considered: 2, rejections });
    expect(lines(decision({ placement: asked }), undefined)).toEqual(['Provider trees: - > 14', 'Placement: 14 > 5']);
  });

  it('begins with the hosts that Placement returned, if it did not', () => {
    expect(lines(decision({ placement: placement({ hosts: 5 }) }), undefined)).toEqual(['Placement: - > 5']);
  });

  it('merges three consecutive stages without rejections, but not two', () => {
    const stages = [
      stage('preselection', 9, 9, { kind: 'preselection' }),
      stage('A', 9, 9),
      stage('B', 9, 9, { skipped: true }),
      stage('C', 9, 4),
      stage('D', 4, 4),
      stage('E', 4, 4),
    ];
    expect(lines(decision(), pass({ stages }))).toEqual([
      '3 stages that rejected no host: 9 > 9',
      'C: 9 > 4',
      'D: 4 > 4',
      'E: 4 > 4',
    ]);
    expect(stagesOf(decision(), pass({ stages }))[0]?.note).toBe('Preselection, A, B');
  });

  it('ends with who was weighed and who was claimed', () => {
    const made = pass({
      ranked: 4,
      ranking: [{ host: 'cn2', node: 'cn2', weight: 1.5 }],
      claims_tried: { no_capacity: 2, claimed: 1 },
      selected: { host: 'cn1', node: 'cn1' },
    });
    expect(stagesOf(decision(), made).map(({ name, left, note: says }) => [name, left, says])).toEqual([
      ['Weighed', 4, 'cn2 first with 1.5'],
      ['Claimed', 1, 'cn1, after 2 claims lost'],
    ]);
  });

  it('says where hosts went between Placement and a later instance', () => {
    const judged = decision({ placement: placement({ hosts: 9 }) });
    const stages = [stage('A', 5, 5)];
    expect(lines(judged, pass({ index: 1, stages }))).toContain('After the instances before: 9 > 5');
    expect(lines(judged, pass({ index: 0, stages }))).toEqual(['Placement: - > 9', 'A: 5 > 5']);
  });

  it('finds the stage that rejected the last host', () => {
    const stages = [stage('A', 3, 1), stage('B', 1, 0), stage('C', 0, 0)];
    expect(emptiedBy(stagesOf(decision(), pass({ stages })))).toBe('B');
    expect(emptiedBy(stagesOf(decision(), pass({ stages: stages.slice(0, 1) })))).toBeUndefined();
  });

  it('has no claims in a search for alternates, or without hosts', () => {
    expect(lines(decision(), pass({ ranked: 4, phase: 'alternates' }))).toEqual(['Weighed: - > 4']);
    expect(lines(decision(), pass())).toEqual([]);
  });
});

describe('who fell out at a stage', () => {
  it('groups by code and by sentence, most first, and counts who is not listed', () => {
    const rejected = (host: string, code: string, message: string) => ({ host, node: host, code, message });
    const groups = fallenOf({
      by_code: { few: 1, many: 10, unnamed: 2 },
      hosts: [
        rejected('a', 'few', 'x'),
        rejected('b', 'many', 'y'),
        rejected('c', 'many', 'z'),
        rejected('d', 'many', 'z'),
      ],
    });
    expect(groups.map(({ code, count, unlisted }) => [code, count, unlisted])).toEqual([
      ['many', 10, 7],
      ['unnamed', 2, 2],
      ['few', 1, 0],
    ]);
    expect(groups[0]?.sentences.map(({ message, hosts }) => [message, hosts.map(({ host }) => host)])).toEqual([
      ['z', ['c', 'd']],
      ['y', ['b']],
    ]);
  });
});
