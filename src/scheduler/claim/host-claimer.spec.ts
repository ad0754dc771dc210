// Claiming one host: which candidates are tried, how often, and what is learned for later claims.
import type { Candidate } from '../../placement/candidate-search';
import type { ProviderSummaries } from '../../scheduling-rules/host-state/host-state';
import { provider, resource } from '../../scheduling-rules/host-state/host-state.fixture';
import { hostTopology, instanceTopology } from '../../scheduling-rules/numa/numa.fixture';
import { hostState, requestSpec } from '../../scheduling-rules/pipeline/pipeline.fixture';
import type { PciPool } from '../../scheduling-rules/request-spec/pci-pool';
import type { RequestSpec } from '../../scheduling-rules/request-spec/request-spec';
import type { SchedulerOptions } from '../assemble/scheduler-options';
import type { DecisionRun, FoundHosts } from '../decide/decision-run';
import type { CandidateAnswer, ClaimRefusal, ClaimRequest, Claims } from '../ports';
import { GroupView } from './group-view';
import type { HostClaim } from './host-claimer';
import { HostClaimer } from './host-claimer';

type Answer = 'claimed' | ClaimRefusal['outcome'] | ClaimRefusal | Error;

/** What differs between the cases. */
interface Given {
  readonly answer?: Partial<CandidateAnswer>;
  readonly command?: Partial<DecisionRun['command']>;
  readonly group?: string;
  readonly novaCompat?: boolean;
  readonly furtherCandidates?: () => Promise<readonly Candidate[]>;
}

const slot = (at: number, mappings: Candidate['mappings'] = {}): Candidate => ({
  rootUuid: 'h',
  allocations: { [`slot${at}`]: { resources: { CUSTOM_SLOT: 1 } } },
  mappings,
});
const SUMMARIES: ProviderSummaries = new Map(
  [0, 1, 2, 3, 4].map((at) => [
    `slot${at}`,
    provider(`slot${at}`, { CUSTOM_SLOT: resource(1) }, { rootUuid: 'h', parentUuid: 'h' }),
  ]),
);
const HOST = hostState({ host: 'h', node: 'n', uuid: 'h', cell: 'one', candidates: [slot(0), slot(1)] });
const SPEC = requestSpec({ instanceUuid: 'i' });

interface Setting {
  readonly claimer: HostClaimer;
  readonly asked: (readonly ClaimRequest[])[];
  readonly pauses: number[];
  readonly further: string[];
}

function setUp(answers: readonly Answer[], given: Given = {}, isDryRun = false): Setting {
  const left = [...answers];
  const [asked, pauses, further]: [(readonly ClaimRequest[])[], number[], string[]] = [[], [], []];
  const claims: Claims = {
    claim: async (requests) => {
      asked.push(requests);
      const answer = left.shift() ?? 'claimed';
      if (answer instanceof Error) throw answer;
      if (answer === 'claimed' || typeof answer === 'object') return answer;
      return { outcome: answer, message: `told to fail: ${answer}` };
    },
    open: async (batch) => {
      batch.isOpen = true;
    },
    held: async () => ({ generation: 1, allocations: {}, placed: { host: 'elsewhere', isMoving: false } }),
    release: () => Promise.resolve(),
    finish: () => Promise.resolve(),
  };
  const env = { now: () => 0, jitter: () => 1, sleep: async (ms: number) => void pauses.push(ms) };
  const body = { project_id: 'p', user_id: 'u', flavor: 'f' };
  const run = {
    command: { body, requestId: 'req-1', dryRun: isDryRun, explains: 'empty', ...given.command },
    pipeline: {
      parts: { filters: [] },
      options: { candidatesPerHost: 10, defaultAvailabilityZone: 'nova' } as Partial<SchedulerOptions>,
    },
    env: { nowMs: 0, novaCompat: given.novaCompat ?? false },
    found: { group: given.group === undefined ? null : { uuid: given.group }, flavorId: null, imageUuid: null },
  } as unknown as DecisionRun;
  const furtherCandidates: FoundHosts['search']['furtherCandidates'] = async ({ host }) => {
    further.push(host);
    return given.furtherCandidates?.() ?? [slot(1), slot(2), slot(3)];
  };
  const answer = { requests: [], summaries: SUMMARIES, truncated: false, ...given.answer };
  const found = { answer, search: { furtherCandidates } as FoundHosts['search'] };
  const claimer = new HostClaimer(run, found, { claims, env, hosts: {} });
  return { claimer, asked, pauses, further };
}
const triesOf = ({ records }: HostClaim): unknown[] =>
  records.map(({ candidate, outcome, attempts }) => [candidate, outcome, attempts]);
const MORE = { answer: { truncated: true } };

it.each<[string, readonly Answer[], Given, unknown[], string | null]>([
  ['the first candidate that can be', ['claimed'], {}, [[0, 'claimed', 1]], 'slot0'],
  [
    'the next one when it is taken',
    ['no_capacity'],
    {},
    [
      [0, 'no_capacity', 1],
      [1, 'claimed', 1],
    ],
    'slot1',
  ],
  [
    'nothing when all are taken',
    ['no_capacity', 'no_capacity'],
    {},
    [
      [0, 'no_capacity', 1],
      [1, 'no_capacity', 1],
    ],
    null,
  ],
  ['the same one after three conflicts', ['conflict', 'conflict', 'conflict'], {}, [[0, 'claimed', 4]], 'slot0'],
  [
    'the next one after four',
    ['conflict', 'conflict', 'conflict', 'conflict'],
    {},
    [
      [0, 'conflict', 4],
      [1, 'claimed', 1],
    ],
    'slot1',
  ],
  [
    'no candidate more of an instance that has allocations',
    ['consumer_exists'],
    MORE,
    [[0, 'consumer_exists', 1]],
    null,
  ],
  ['no candidate more where the group forbids it', ['policy'], {}, [[0, 'policy', 1]], null],
  [
    'further ones that it had not been shown',
    ['no_capacity', 'no_capacity', 'no_capacity'],
    MORE,
    [
      [0, 'no_capacity', 1],
      [1, 'no_capacity', 1],
      [2, 'no_capacity', 1],
      [3, 'claimed', 1],
    ],
    'slot3',
  ],
  ['only the first one, as nova does', ['no_capacity'], { novaCompat: true, ...MORE }, [[0, 'no_capacity', 1]], null],
])('claims %s', async (_, answers, given, tries, expected) => {
  const { claimer } = setUp(answers, given);
  const claim = await claimer.claim(HOST, SPEC, new GroupView());
  expect(triesOf(claim)).toEqual(tries);
  expect(Object.keys(claim.plan?.candidate.allocations ?? {})[0] ?? null).toBe(expected);
  expect(claimer.mayHold).toBe(expected !== null);
  expect(claim.consumerExists).toBe(answers[0] === 'consumer_exists');
});

it('pauses longer before each retry of one candidate', async () => {
  const { claimer, pauses } = setUp(['conflict', 'conflict', 'conflict', 'conflict']);
  await claimer.claim(HOST, SPEC, new GroupView());
  expect(pauses).toEqual([50, 100, 150]);
});

it('rethrows unexpected errors and keeps no claim', async () => {
  const { claimer } = setUp([new Error('wires cut')]);
  await expect(claimer.claim(HOST, SPEC, new GroupView())).rejects.toThrow('wires cut');
  expect(claimer.mayHold).toBe(true);
});

it('sends no claim for capacity that earlier instances took', async () => {
  const { claimer, asked } = setUp([]);
  claimer.room.charge(slot(0));
  const claim = await claimer.claim(HOST, SPEC, new GroupView());
  expect(triesOf(claim)).toEqual([
    [0, 'no_capacity', 0],
    [1, 'claimed', 1],
  ]);
  expect(claim.records[0]?.message).toBe('earlier instances of this request took the room');
  expect(asked).toHaveLength(1);
});

it('requests further candidates once per host', async () => {
  const { claimer, further } = setUp([], MORE);
  for (const at of [0, 1, 2]) claimer.room.charge(slot(at));
  expect((await claimer.plan(HOST, SPEC, new GroupView())).plan?.candidate).toEqual(slot(3));
  expect((await claimer.claim(HOST, SPEC, new GroupView())).plan?.candidate).toEqual(slot(3));
  expect(claimer.offer(HOST)).toEqual(slot(3));
  expect(further).toEqual(['h']);
});

it('offers known candidates without a request for more', () => {
  const { claimer, further } = setUp([], MORE);
  expect(claimer.offer(HOST)).toEqual(slot(0));
  claimer.room.charge(slot(0));
  expect(claimer.offer(HOST)).toEqual(slot(1));
  claimer.room.charge(slot(1));
  expect(claimer.offer(HOST)).toBeNull();
  expect(further).toEqual([]);
});

describe('further candidates of a host with checked devices', () => {
  const pool = (at: number, count: number): PciPool => ({
    vendorId: '8086',
    productId: '1',
    devType: 'type-PCI',
    numaNode: null,
    count,
    tags: { rp_uuid: `slot${at}` },
  });
  const spec: RequestSpec = {
    ...SPEC,
    pciRequests: [
      { requestId: 'r', aliasName: null, count: 1, alternatives: [{ vendor_id: '8086' }], numaPolicy: null },
    ],
  };
  const chooses = (at: number): Candidate => slot(at, { 'r-0': [`slot${at}`] });
  const furtherCandidates = async (): Promise<Candidate[]> => [chooses(2), chooses(3)];

  it('must fit the devices if the first candidates did', async () => {
    const host = { ...HOST, candidates: [chooses(0)], pciPools: [pool(0, 1), pool(2, 0), pool(3, 1)] };
    const { claimer } = setUp(['no_capacity'], { ...MORE, furtherCandidates });
    expect((await claimer.claim(host, spec, new GroupView())).plan?.candidate).toEqual(chooses(3));
  });

  it('must fit without NUMA cells if no filter checked the cells', async () => {
    const host = { ...HOST, candidates: [chooses(0)], pciPools: [pool(0, 1), pool(2, 0), pool(3, 1)] };
    const { claimer } = setUp(['no_capacity'], { ...MORE, furtherCandidates });
    const withCells = { ...spec, numaTopology: instanceTopology({}) };
    expect((await claimer.claim(host, withCells, new GroupView())).plan).toMatchObject({
      candidate: chooses(3),
      placement: { numa: null, pci: [{ count: 1 }] },
    });
  });

  it('must fit the NUMA cells if the first candidates did', async () => {
    const near = { ...pool(0, 1), numaNode: 0 };
    const host = {
      ...HOST,
      candidates: [chooses(0)],
      numaTopology: hostTopology({}),
      pciPools: [near, { ...pool(2, 1), numaNode: 1 }, { ...pool(3, 1), numaNode: 0 }],
    };
    const { claimer } = setUp(['no_capacity'], { ...MORE, furtherCandidates });
    const withCells = { ...spec, numaTopology: instanceTopology({}) };
    expect((await claimer.claim(host, withCells, new GroupView())).plan?.candidate).toEqual(chooses(3));
  });

  it('need not fit if no filter checked the first candidates', async () => {
    const host = { ...HOST, candidates: [chooses(0)], pciPools: null };
    const { claimer } = setUp(['no_capacity'], { ...MORE, furtherCandidates });
    expect((await claimer.claim(host, spec, new GroupView())).plan?.candidate).toEqual(chooses(2));
  });
});

describe('a dry run', () => {
  it('counts a fitting candidate as claimed without a request', async () => {
    const { claimer, asked } = setUp([], {}, true);
    claimer.room.charge(slot(0));
    const claim = await claimer.claim(HOST, SPEC, new GroupView());
    expect(triesOf(claim)).toEqual([
      [0, 'no_capacity', 0],
      [1, 'claimed', 0],
    ]);
    expect([claimer.isDryRun, claimer.mayHold, asked]).toEqual([true, false, []]);
    expect(await claimer.claimTogether([])).toBe('claimed');
  });
});

describe('several claims together', () => {
  it('are one call, and a failure undoes all of them', async () => {
    const { claimer, asked } = setUp([]);
    const planned = await Promise.all(
      ['one', 'two'].map(async (instanceUuid) => {
        const spec = { ...SPEC, instanceUuid };
        const { plan } = await claimer.plan(HOST, spec, new GroupView());
        if (plan === null) throw new Error('there is room');
        return { plan, spec };
      }),
    );
    expect(await claimer.claimTogether(planned)).toBe('claimed');
    expect(asked.map((requests) => requests.map(({ consumerUuid }) => consumerUuid))).toEqual([['one', 'two']]);
    expect(claimer.mayHold).toBe(true);
  });

  it('leave nothing to undo if they are refused', async () => {
    const { claimer } = setUp(['no_capacity']);
    const { plan } = await claimer.plan(HOST, SPEC, new GroupView());
    if (plan === null) throw new Error('there is room');
    expect(await claimer.claimTogether([{ plan, spec: SPEC }])).toMatchObject({ outcome: 'no_capacity' });
    expect(claimer.mayHold).toBe(false);
  });
});

it.each<[Given, ClaimRequest['group']]>([
  [{}, null],
  [{ group: 'g' }, { uuid: 'g', isEnforced: true }],
  [
    { group: 'g', novaCompat: true },
    { uuid: 'g', isEnforced: false },
  ],
])('a claim contains the host, the owner and the record: %j', async (given, group) => {
  const { claimer, asked } = setUp([], given);
  const inline = {
    uuid: 'other',
    policy: 'affinity',
    maxServerPerHost: null,
    members: new Set(),
    hosts: new Set(),
  } as const;
  await claimer.claim(HOST, { ...SPEC, instanceGroup: inline as never }, new GroupView());
  expect(asked[0]?.[0]).toEqual({
    consumerUuid: 'i',
    projectId: 'p',
    userId: 'u',
    group,
    record: expect.objectContaining({ requestId: 'req-1' }),
    host: { host: 'h', node: 'n', uuid: 'h', cell: 'one' },
    zone: null,
    allocations: slot(0).allocations,
    mappings: {},
    placement: { numa: null, pci: [] },
    alternates: [],
  });
});

describe('the server group in a refused claim', () => {
  it.each<[string, NonNullable<ClaimRefusal['groupHosts']>, string | null]>([
    ['runs there', { kind: 'only', hosts: new Set(['h', 'x']) }, null],
    ['runs elsewhere', { kind: 'only', hosts: new Set(['x', 'y']) }, 'the server group runs on x, y now'],
    ['may come there', { kind: 'except', hosts: new Set(['x']) }, null],
    [
      'is complete there',
      { kind: 'except', hosts: new Set(['h']) },
      'the host runs as many members of the server group as its policy allows now',
    ],
  ])('applies to the next hosts: it %s', async (_, groupHosts, message) => {
    const view = new GroupView();
    expect(view.refusal(HOST)).toBeNull();
    const { claimer, asked } = setUp([{ outcome: 'policy', message: 'no', groupHosts }]);
    await claimer.claim({ ...HOST, host: 'first' }, SPEC, view);
    const next = await claimer.claim(HOST, SPEC, view);
    expect(triesOf(next)).toEqual([message === null ? [0, 'claimed', 1] : [0, 'policy', 0]]);
    expect(next.records[0]?.message).toBe(message);
    expect(asked).toHaveLength(message === null ? 2 : 1);
  });
});
