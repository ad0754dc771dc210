// Conditions that leave no candidate: every kind of condition, one at a time, then two, within reported limits.
import type { RequestGroup, ResourceRequest } from '../../placement/candidate-search';
import { conditionsOf } from '../../placement/candidate-search';
import { CONFLICT_SEARCHES, CONFLICT_TIME_MS } from './limits';
import { findMinimalConflicts } from './minimal-conflicts';

const group = (given: Partial<RequestGroup> = {}): RequestGroup => ({
  suffix: '',
  resources: new Map([['VCPU', 1]]),
  requiredTraits: [],
  forbiddenTraits: [],
  memberOf: [],
  forbiddenAggregates: [],
  inTree: null,
  ...given,
});
const request = (given: Partial<ResourceRequest> = {}): ResourceRequest => ({
  groups: [group()],
  nestedAware: true,
  groupPolicy: null,
  sameSubtree: [],
  rootRequired: [],
  rootForbidden: [],
  limit: null,
  ...given,
});
const RICH = request({
  groups: [
    group({
      resources: new Map([
        ['MEMORY_MB', 512],
        ['VCPU', 2],
      ]),
      requiredTraits: [['CUSTOM_A'], ['CUSTOM_B', 'CUSTOM_C']],
      forbiddenTraits: ['CUSTOM_D'],
      memberOf: [['x', 'y'], ['z']],
      forbiddenAggregates: ['v', 'w'],
      inTree: 'root',
    }),
    group({ suffix: '_GPU', resources: new Map([['CUSTOM_GPU', 1]]), requiredTraits: [['CUSTOM_FAST']] }),
    group({ suffix: '_NIC', resources: new Map([['CUSTOM_NIC', 1]]) }),
  ],
  groupPolicy: 'isolate',
  sameSubtree: [['_GPU', '_NIC']],
  rootRequired: ['CUSTOM_R'],
  rootForbidden: ['CUSTOM_F'],
});
const textsOf = (asked: ResourceRequest): string[] => conditionsOf(asked).map(({ text }) => text);

it('everything that can be left out is a condition, in the words of the query', () => {
  expect(textsOf(RICH)).toEqual([
    'root_required=CUSTOM_R',
    'root_required=!CUSTOM_F',
    'resources=MEMORY_MB:512',
    'resources=VCPU:2',
    'required=CUSTOM_A',
    'required=in:CUSTOM_B,CUSTOM_C',
    'required=!CUSTOM_D',
    'member_of=in:x,y',
    'member_of=in:z',
    'member_of=!in:v,w',
    'in_tree=root',
    'resources_GPU=CUSTOM_GPU:1',
    'required_GPU=CUSTOM_FAST',
    'resources_NIC=CUSTOM_NIC:1',
    'group_policy=isolate',
    'same_subtree=_GPU,_NIC',
  ]);
});

it('leaving one out takes it and nothing else away', () => {
  for (const { text, without } of conditionsOf(RICH)) {
    const others = textsOf(RICH).filter((other) => other !== text);
    // A group without resources is removed with its other conditions and its place in subtrees.
    const gone = text.startsWith('resources_') ? `_${text.split('=')[0]?.split('_')[1] ?? ''}` : null;
    const expected = others.flatMap((other) => {
      if (gone === null) return [other];
      if (other.startsWith(`required${gone}=`)) return [];
      return other.startsWith('same_subtree=')
        ? [other.replace(/_GPU,_NIC/, gone === '_GPU' ? '_NIC' : '_GPU')]
        : [other];
    });
    expect([text, textsOf(without(RICH))]).toEqual([text, expected]);
  }
});

it('group_policy=none is no condition', () =>
  expect(textsOf(request({ groupPolicy: 'none' }))).toEqual(['resources=VCPU:1']));

/** The sets found if candidates need all of these conditions removed. */
const findFor = (asked: ResourceRequest, blocking: readonly (readonly string[])[]) =>
  findMinimalConflicts(
    asked,
    async (relaxed) => {
      const left = new Set(textsOf(relaxed));
      return blocking.some((set) => set.every((text) => !left.has(text)));
    },
    () => 0,
  );

it.each<[string, string[][], string[][]]>([
  ['one condition', [['required=CUSTOM_A']], [['required=CUSTOM_A']]],
  ['each of two', [['required=CUSTOM_A'], ['in_tree=root']], [['required=CUSTOM_A'], ['in_tree=root']]],
  [
    'two together',
    [['root_required=CUSTOM_R', 'required_GPU=CUSTOM_FAST']],
    [
      ['root_required=CUSTOM_R', 'resources_GPU=CUSTOM_GPU:1'],
      ['root_required=CUSTOM_R', 'required_GPU=CUSTOM_FAST'],
    ],
  ],
  [
    'a group as a whole, with its conditions',
    [['required=CUSTOM_A', 'in_tree=root']],
    [
      ['resources=MEMORY_MB:512', 'resources=VCPU:2'],
      ['required=CUSTOM_A', 'in_tree=root'],
    ],
  ],
  ['no larger set than needed', [['in_tree=root'], ['in_tree=root', 'required=CUSTOM_A']], [['in_tree=root']]],
  [
    'pairs only where no single one helps',
    [['in_tree=root'], ['required=!CUSTOM_D', 'required=CUSTOM_A']],
    [['in_tree=root']],
  ],
  [
    'nothing where three are needed',
    [['root_required=CUSTOM_R', 'root_required=!CUSTOM_F', 'group_policy=isolate']],
    [],
  ],
])('to blame is %s', async (_, blocking, expected) => {
  const { sets, isComplete } = await findFor(RICH, blocking);
  expect(sets).toEqual(expected);
  expect(isComplete).toBe(true);
});

it('sends no query for a request without conditions', async () => {
  const asked: ResourceRequest[] = [];
  const found = await findMinimalConflicts(
    request(),
    async (relaxed) => asked.push(relaxed) > 0,
    () => 0,
  );
  expect([found, asked]).toEqual([{ sets: [], isComplete: true, searches: 1 }, []]);
});

describe('bounds', () => {
  const traits = (count: number): ResourceRequest =>
    request({ groups: [group({ requiredTraits: Array.from({ length: count }, (_, at) => [`CUSTOM_${at}`]) })] });
  /** Number of searches for all sets of one and two conditions, with `count` traits and one class. */
  const all = (count: number): number => count + 1 + ((count + 1) * count) / 2;

  it('end the search by number, and say so', async () => {
    const many = await findFor(traits(30), []);
    expect(many).toEqual({ sets: [], isComplete: false, searches: CONFLICT_SEARCHES });
    expect(all(18)).toBeLessThanOrEqual(CONFLICT_SEARCHES);
    expect(await findFor(traits(18), [])).toEqual({ sets: [], isComplete: true, searches: all(18) });
  });

  it('end it among single conditions too', async () => {
    const found = await findFor(traits(CONFLICT_SEARCHES + 1), [[`required=CUSTOM_0`]]);
    expect(found).toEqual({ sets: [['required=CUSTOM_0']], isComplete: false, searches: CONFLICT_SEARCHES });
  });

  it.each<[number, number, boolean]>([
    [CONFLICT_TIME_MS, 0, false],
    [CONFLICT_TIME_MS - 1, 1, true],
  ])('end it by time: after %d ms', async (spent, atLeast, goesOn) => {
    const times = [0, spent];
    const clock = (): number => times.shift() ?? spent;
    const { searches, isComplete } = await findMinimalConflicts(traits(2), async () => false, clock);
    expect([searches >= atLeast, isComplete]).toEqual([true, goesOn]);
  });
});

it('rethrows the error of a search', async () => {
  const broken = findMinimalConflicts(
    RICH,
    () => Promise.reject(new Error('wires cut')),
    () => 0,
  );
  await expect(broken).rejects.toThrow('wires cut');
});
