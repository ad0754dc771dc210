// The one or two queries to Placement, and the explanation of an empty result.
import type { JudgedHost, ResourceRequest } from '../../placement/candidate-search';
import { Unavailable, UnknownReference } from '../../platform/values/errors';
import type { Decision } from '../../scheduling-rules/pipeline/decision';
import { DecisionRecorder } from '../../scheduling-rules/pipeline/explanation';
import { hostState } from '../../scheduling-rules/pipeline/pipeline.fixture';
import type { CandidateAnswer, SearchBounds } from '../ports';
import type { SearchPlan } from './placement-search';
import { explainsAt, PlacementSearch } from './placement-search';
import { Refused } from './refused';

const asking = (resourceClass: string, given: Partial<ResourceRequest> = {}): ResourceRequest => ({
  groups: [
    {
      suffix: '',
      resources: new Map([[resourceClass, 1]]),
      requiredTraits: [],
      forbiddenTraits: [],
      memberOf: [],
      forbiddenAggregates: [],
      inTree: null,
    },
  ],
  groupPolicy: null,
  sameSubtree: [],
  rootRequired: [],
  rootForbidden: [],
  nestedAware: true,
  limit: 10,
  ...given,
});
const PINNED = asking('PCPU');
const SHARED = asking('VCPU');
const PLAN: SearchPlan = {
  request: PINNED,
  fallback: null,
  isFallbackAlwaysSent: false,
  perRoot: 3,
  explains: 'empty',
};
const found = (...roots: readonly string[]): CandidateAnswer => ({
  requests: roots.map((rootUuid) => ({ rootUuid, allocations: {}, mappings: {} })),
  summaries: new Map(),
  truncated: false,
});
const CONDITION = { kind: 'resource', names: ['PCPU'], amount: 1, groups: [''], parts: [] } as const;
const judged = (...names: readonly string[]): readonly JudgedHost[] =>
  names.map((name, id) => ({
    root: { id, uuid: name, name },
    failures: [{ condition: CONDITION, code: 'no_inventory', params: {}, isNever: true }],
    isNear: false,
  }));

interface Asked {
  readonly queries: (ResourceRequest & SearchBounds)[];
  readonly search: PlacementSearch;
  readonly close: () => Decision;
  readonly run: (plan?: Partial<SearchPlan>) => Promise<string[] | string>;
  /** How often every host was judged. */
  readonly judgements: () => number;
}

/** `answers` is keyed by the requested class. */
function searchOn(
  answers: Readonly<Record<string, CandidateAnswer | Error>>,
  hosts: readonly JudgedHost[] = [],
): Asked {
  const queries: Asked['queries'] = [];
  const recorder = new DecisionRecorder({ requestId: 'r', startedMs: 0, seed: 0, driver: 'd', configRevision: 'c' });
  const source = {
    search: (query: ResourceRequest, bounds: SearchBounds): Promise<CandidateAnswer> => {
      queries.push({ ...query, ...bounds });
      const [name = ''] = [...(query.groups[0]?.resources.keys() ?? [])];
      const answer = answers[name] ?? found();
      return answer instanceof Error ? Promise.reject(answer) : Promise.resolve(answer);
    },
    judgeHosts: () => {
      judgements += 1;
      return Promise.resolve(hosts);
    },
  };
  let judgements = 0;
  const search = new PlacementSearch(source, recorder);
  const end = { outcome: 'placed', code: null, reason: null, nowMs: 0 } as const;
  const run = async (plan: Partial<SearchPlan> = {}): Promise<string[] | string> => {
    try {
      return (await search.run({ ...PLAN, ...plan })).requests.map(({ rootUuid }) => rootUuid);
    } catch (error) {
      return error instanceof Refused ? error.refusal.code : String(error);
    }
  };
  return { queries, search, close: () => recorder.close(end), run, judgements: () => judgements };
}
const classesOf = ({ queries }: Asked): (string | undefined)[] =>
  queries.map(({ groups }) => [...(groups[0]?.resources.keys() ?? [])][0]);

describe('the second query, for pinned CPUs', () => {
  const withFallback = { fallback: SHARED };
  it.each<[string, Readonly<Record<string, CandidateAnswer>>, Partial<SearchPlan>, string[] | string, string[]]>([
    ['is not sent without one', { PCPU: found() }, {}, [], ['PCPU']],
    ['is not sent when the first found hosts', { PCPU: found('a'), VCPU: found('b') }, withFallback, ['a'], ['PCPU']],
    ['is sent when the first found none', { VCPU: found('b') }, withFallback, ['b'], ['PCPU', 'VCPU']],
    [
      'is always sent as nova sends it, its hosts behind the others',
      { PCPU: found('a'), VCPU: found('a', 'b') },
      { ...withFallback, isFallbackAlwaysSent: true },
      ['a', 'a', 'b'],
      ['PCPU', 'VCPU'],
    ],
    ['may find none either', {}, withFallback, [], ['PCPU', 'VCPU']],
  ])('%s', async (_, answers, plan, expected, classes) => {
    const asked = searchOn(answers);
    expect(await asked.run(plan)).toEqual(expected);
    expect(classesOf(asked)).toEqual(classes);
  });

  it('is recorded with its result', async () => {
    const asked = searchOn({ PCPU: found('a'), VCPU: found('a', 'b') });
    await asked.run({ fallback: SHARED, isFallbackAlwaysSent: true });
    expect(asked.close().placement).toMatchObject({
      query: 'limit=10&resources=PCPU:1',
      candidates: 3,
      hosts: 2,
      truncated: false,
      notConsidered: 0,
      fallback: { query: 'limit=10&resources=VCPU:1', candidates: 2, hosts: 2 },
    });
    const plain = searchOn({ PCPU: found('a') });
    await plain.run({ fallback: SHARED });
    expect(plain.close().placement?.fallback).toBeNull();
  });

  it.each<[string, CandidateAnswer, CandidateAnswer, number | null]>([
    ['with the bound of the second, the first having none', found(), { ...found('b'), truncated: true }, null],
    ['with the bound of the second', found('a'), { ...found('b'), truncated: true }, null],
    ['without a bound', found('a'), found('a'), 0],
  ])('records how many hosts were not considered %s', async (_, first, second, notConsidered) => {
    const asked = searchOn({ PCPU: first, VCPU: second });
    await asked.run({ fallback: SHARED, isFallbackAlwaysSent: true });
    expect(asked.close().placement?.notConsidered).toBe(notConsidered);
  });

  it('takes the hosts that it returns off those that the first rejects', async () => {
    const asked = searchOn({ PCPU: found(), VCPU: found('b') }, judged('a', 'b'));
    await asked.run({ fallback: SHARED, explains: 'always' });
    expect(asked.close().placement?.rejections?.map(({ root }) => root.uuid)).toEqual(['a']);
  });
});

describe('further candidates of a host', () => {
  const host = hostState({ host: 'b', uuid: 'b' });
  it('are requested from its tree only, with the query that found it', async () => {
    const asked = searchOn({ PCPU: found('a', 'b') });
    await asked.run({ fallback: SHARED });
    expect(await asked.search.furtherCandidates(host)).toHaveLength(1);
    expect(asked.queries.at(-1)).toMatchObject({ onlyRoots: ['b'], groups: [{ resources: new Map([['PCPU', 1]]) }] });
    const second = searchOn({ VCPU: found('b') });
    await second.run({ fallback: SHARED });
    expect(await second.search.furtherCandidates(host)).toHaveLength(1);
    expect(second.queries.at(-1)).toMatchObject({ onlyRoots: ['b'], groups: [{ resources: new Map([['VCPU', 1]]) }] });
  });
});

describe('reasons', () => {
  it.each<[SearchPlan['explains'], CandidateAnswer, number]>([
    ['empty', found(), 0],
    ['empty', found('a'), 0],
    ['always', found('a'), 1],
  ])('%s: %#', async (explains, answer, judgements) => {
    const asked = searchOn({ PCPU: answer }, judged('z'));
    await asked.run({ explains });
    expect(asked.judgements()).toBe(judgements);
    expect(asked.close().placement?.rejections?.length ?? null).toBe(judgements === 0 ? null : 1);
  });

  it.each([
    ['none', 'empty'],
    ['summary', 'empty'],
    ['first', 'empty'],
    ['all', 'always'],
  ] as const)('of level %s are found %s', (level, expected) => expect(explainsAt(level)).toBe(expected));
});

it.each<[string, Error, string]>([
  ['a query that placement refuses', new UnknownReference('No such trait.'), 'scheduler.invalid_request'],
  ['a placement that cannot be reached', new Unavailable('down'), 'Unavailable: down'],
  ['anything else', new TypeError('odd'), 'TypeError: odd'],
])('rethrows %s', async (_, error, expected) => {
  for (const answers of [{ PCPU: error }, { VCPU: error }]) {
    expect(await searchOn(answers).run({ fallback: SHARED })).toBe(expected);
  }
});
