import { decision, pass, placement, stage } from './decision.fixture';
import { hostsNamed, verdictsOn } from './host-verdicts';

const rejected = (host: string) => ({ host, node: `${host}.node`, code: 'no', params: {}, message: `${host} says no` });

const made = pass({
  stages: [
    stage('RamFilter', 4, 3, { rejections: { by_code: { no: 1 }, hosts: [rejected('cn10')], truncated: false } }),
  ],
  ranked: 3,
  ranking: [
    { host: 'cn1', node: 'cn1', weight: 2 },
    { host: 'cn2', node: 'cn2', weight: 1 },
  ],
  claims: [{ host: 'cn1', node: 'cn1', candidate: 0, outcome: 'no_capacity', attempts: 2, message: null }],
  selected: { host: 'cn2', node: 'cn2' },
});

const uuid = '00000000-0000-4000-8000-00000000000a';
const judged = decision({
  placement: placement({
    rejections: {
      by_code: { full: 1 },
      hosts: [{ host: 'cn9', uuid, code: 'full', message: 'no room' }],
      truncated: false,
    },
  }),
});

const linesOf = (name: string): readonly string[] =>
  verdictsOn(judged, made, name).map(({ by, message }) => `${by}: ${message}`);

describe('why not this host', () => {
  it.each([
    ['cn9', ['Placement: no room']],
    [uuid.toUpperCase(), ['Placement: no room']],
    ['CN10', ['RamFilter: cn10 says no']],
    ['cn10.node', ['RamFilter: cn10 says no']],
    [
      'cn1',
      [
        'Weighed: It passed every filter and is number 1 of 3 hosts with 2.',
        'Claim: The claim was tried 2 times and lost.',
      ],
    ],
    [
      'cn2',
      [
        'Weighed: It passed every filter and is number 2 of 3 hosts with 1; the first has 2.',
        'Selected: The instance went there.',
      ],
    ],
    ['cn', []],
  ])('%s', (name, lines) => {
    expect(linesOf(name)).toEqual(lines);
  });

  it('says what an earlier instance of the batch found', () => {
    const later = pass({ index: 1 });
    const batch = decision({ passes: [made, later] });
    expect(verdictsOn(batch, later, 'cn10').map(({ by, message }) => `${by}: ${message}`)).toEqual([
      'RamFilter, for instance 1: cn10 says no',
    ]);
    expect(verdictsOn(batch, later, 'cn1')).toEqual([]);
  });

  it('offers every host that is named, as people count', () => {
    expect(hostsNamed(judged, made)).toEqual(['cn1', 'cn2', 'cn9', 'cn10']);
  });
});
