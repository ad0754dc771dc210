// Laws of a decision on random small clouds, through the scheduler itself: candidates from the engine, hosts from the
// directory, claims that count. BERTH_SEED repeats a run; a failure names the world.
import { assembleScheduler } from '../../src/scheduler/assemble/scheduler-pipeline';
import type { DecideCommand, Decided } from '../../src/scheduler/decide/decision-run';
import { presentDecision } from '../../src/scheduler/decisions/decision.presenter';
import { newBatch } from '../../src/scheduler/ports';
import { SchedulerService } from '../../src/scheduler/scheduler.service';
import { simulatedPorts } from '../../src/scheduler/simulate/simulated-cloud';
import type { PassRecord } from '../../src/scheduling-rules/pipeline/decision';
import { PASSES_SHOWN_IN_FULL } from '../../src/scheduling-rules/pipeline/limits';
import { sameWeight } from '../../src/scheduling-rules/pipeline/run-weighers';
import type { OtherWrites, SchedulerCase } from './scheduler-worlds';
import { ClaimedRooms, drawCase, NO_OTHERS } from './scheduler-worlds';

const ROUNDS = Number(process.env['BERTH_ROUNDS'] ?? 600);
const SEED = Number(process.env['BERTH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));
const ONE = { cpu: 1, ram: 1, disk: 1 };
const CLOUD = { defaultAvailabilityZone: 'nova', hostsFromInventory: true, ratios: { initial: ONE, fixed: ONE } };

jest.setTimeout(3_700_000);

interface Run extends Decided {
  readonly claims: ClaimedRooms;
}

async function decide(
  world: SchedulerCase,
  command: Partial<DecideCommand> = {},
  otherWrites: OtherWrites = NO_OTHERS,
): Promise<Run> {
  const { candidates, hosts, references, env } = simulatedPorts(world.document, CLOUD);
  const claims = new ClaimedRooms(world, otherWrites);
  const pipeline = assembleScheduler(world.options);
  const decided = await new SchedulerService(pipeline, candidates, hosts, references, claims, env).decide({
    body: world.body,
    requestId: 'req',
    dryRun: false,
    mode: 'first',
    explains: 'empty',
    seed: world.seed >>> 0,
    returnAlternates: world.returnAlternates,
    ...command,
  });
  return { ...decided, claims };
}

const RUSH: OtherWrites = { writeByOthers: 0.3, conflicts: 0.2 };

/** Reports the world if a check fails. */
function holder(world: SchedulerCase): (law: string, actual: unknown, expected: unknown) => void {
  return (law, actual, expected) => {
    if (JSON.stringify(actual) === JSON.stringify(expected)) return;
    const { document, options } = world;
    const drawn = { seed: world.seed, law, document: JSON.stringify(document), options: JSON.stringify(options) };
    expect({ ...drawn, actual }).toEqual({ ...drawn, actual: expected });
  };
}
type Hold = ReturnType<typeof holder>;

const nodesOf = ({ placements }: Decided): (string | null)[] =>
  placements.map(({ selected }) => selected?.state.node ?? null);
const sorted = (names: readonly string[]): string[] => [...names].sort();

async function eachWorld(judge: (world: SchedulerCase, hold: Hold) => Promise<void>): Promise<void> {
  for (let round = 0; round < ROUNDS; round += 1) {
    const world = drawCase(SEED + round * 7919);
    try {
      await judge(world, holder(world));
    } catch (error) {
      if (error instanceof Error) error.message = `world ${world.seed}: ${error.message}`;
      throw error;
    }
  }
}

/** Law: in = out + rejected at every stage, and each stage starts with the hosts that passed the previous one. */
function holdStages(hold: Hold, { decision }: Run): void {
  const shown = presentDecision(decision, { level: 'all' }) as {
    readonly passes: readonly {
      readonly stages: readonly { in: number; out: number; rejections: { by_code: Record<string, number> } }[];
      readonly ranked: number;
    }[];
  };
  for (const { stages, ranked } of shown.passes) {
    let entering = stages[0]?.in;
    for (const stage of stages) {
      const fell = Object.values(stage.rejections.by_code).reduce((sum, count) => sum + count, 0);
      hold('in = out + by_code', stage.in, stage.out + fell);
      hold('a stage begins with what the one before left', stage.in, entering);
      entering = stage.out;
    }
    hold('the ranking is what the last stage left', ranked, entering);
  }
}

/** Law: one stage of the first pass rejects each root that Placement returned, or the root is in its ranking. */
function holdPlaces(hold: Hold, { decision }: Run): void {
  const { passes, placement } = decision;
  if (placement === null) return;
  const [first] = passes;
  const rejected = first?.stages.flatMap((stage) => stage.rejected.map(({ node }) => node)) ?? [];
  const ranked = first?.ranking.map(({ state }) => state.node) ?? [];
  const places = [...rejected, ...ranked];
  hold('a host is in one place', places.length, new Set(places).size);
  if (first !== undefined) hold('every host is in a place', places.length, placement.hosts);
  let left = first?.ranked;
  for (const pass of passes.slice(1)) {
    hold('a pass begins with what the last one that placed left', pass.stages[0]?.in, left);
    if (pass.selected !== null) left = pass.ranked;
  }
}

/** Law: weights are the sum of their parts; best first; equal hosts by host, node and uuid unless drawn at random. */
function holdRanking(hold: Hold, { decision }: Run, { options }: SchedulerCase): void {
  const isDrawn =
    options.hostSubsetSize > 1 || options.shuffleBestSameWeighedHosts || options.driver !== 'filter_scheduler';
  for (const pass of decision.passes.slice(0, PASSES_SHOWN_IN_FULL)) {
    const parts = pass.weighers.map(({ hosts }) => new Map(hosts.map((part) => [part.node, part])));
    for (const { state, weight } of pass.ranking) {
      const sum = parts.reduce((total, part) => total + (part.get(state.node)?.score ?? Number.NaN), 0);
      hold('a weight is the sum of its parts', sameWeight(sum, weight) || Math.abs(sum - weight) < 1e-9, true);
      for (const part of parts) {
        const { normalized = -1, multiplier = 0, score = 0 } = part.get(state.node) ?? {};
        hold('a score is multiplier times value', Math.abs(score - normalized * multiplier) < 1e-6, true);
        hold('a value is on the scale', normalized >= 0 && normalized <= 1, true);
      }
    }
    if (!isDrawn) holdOrder(hold, pass);
  }
}

function holdOrder(hold: Hold, { ranking }: PassRecord): void {
  for (const [at, { state, weight }] of ranking.entries()) {
    const before = ranking[at - 1];
    if (before === undefined) continue;
    const isSame = sameWeight(before.weight, weight);
    const isOrdered = isSame ? before.state.host < state.host : before.weight > weight;
    hold('best first, equals by name', isOrdered, true);
  }
}

/** Law: the claims equal the answer; after a refusal there are none. */
function holdClaims(hold: Hold, { claims, placements, refusal, decision }: Run): void {
  const claimed = [...claims.claimed].map(([uuid, { allocations }]) => [uuid, allocations]);
  const answered = placements.flatMap(({ instanceUuid, selected }) =>
    selected === null ? [] : [[instanceUuid, selected.candidate.allocations]],
  );
  hold(
    'claimed is what was answered',
    sorted(claimed.map((one) => JSON.stringify(one))),
    sorted(answered.map((one) => JSON.stringify(one))),
  );
  if (refusal === null) return;
  hold('nothing is left after a refusal', [placements.length, claims.claimed.size, claims.offers.length], [0, 0, 0]);
  hold('a refusal says why', decision.summary.sentence.length > 0 && decision.code === refusal.code, true);
}

/**
 * Law: alternates are hosts of the same cell without an instance of the batch, each once, at most as many as requested.
 */
function holdAlternates(hold: Hold, { placements }: Run, { options, returnAlternates }: SchedulerCase): void {
  const taken = new Set(placements.flatMap(({ selected }) => selected?.state.node ?? []));
  for (const { selected, alternates } of placements) {
    const nodes = alternates.map(({ state }) => state.node);
    hold('an alternate is offered once', nodes.length, new Set(nodes).size);
    hold(
      'no alternate was chosen',
      nodes.filter((node) => taken.has(node)),
      [],
    );
    hold(
      'alternates stay in the cell',
      alternates.filter(({ state }) => state.cell !== selected?.state.cell),
      [],
    );
    hold('no more than asked for', nodes.length <= (returnAlternates ? options.maxAttempts - 1 : 0), true);
  }
}

/** Law: hard policies and lists of hosts hold for the chosen hosts. */
function holdAsked(hold: Hold, run: Run, { body, options }: SchedulerCase): void {
  const { placements, decision } = run;
  const spec = decision.request;
  const chosen = placements.flatMap(({ selected }) => selected?.state ?? []);
  const ignored = new Set((body.ignore_hosts ?? []).map((host) => host.toLowerCase()));
  hold(
    'no ignored host',
    chosen.filter(({ host }) => ignored.has(host.toLowerCase())),
    [],
  );
  const forced = body.force_hosts ?? [];
  if (forced.length > 0)
    hold(
      'only forced hosts',
      chosen.filter(({ host }) => !forced.includes(host)),
      [],
    );
  const group = spec?.instanceGroup ?? null;
  if (group === null || forced.length > 0 || options.driver !== 'filter_scheduler') return;
  if (group.policy === 'affinity') {
    const allowed = group.hosts.size > 0 ? group.hosts : new Set(chosen.slice(0, 1).map(({ host }) => host));
    hold(
      'together',
      chosen.filter(({ host }) => !allowed.has(host)),
      [],
    );
  }
  if (group.policy !== 'anti-affinity') return;
  for (const state of chosen) {
    const before = [...group.members].filter(
      (uuid) => state.instances.has(uuid) && !spec?.instanceUuids.includes(uuid),
    );
    const now = chosen.filter(({ host }) => host === state.host).length;
    hold('apart', before.length + now <= (group.maxServerPerHost ?? 1), true);
  }
}

describe(`laws of decisions on ${ROUNDS} random worlds, seed ${SEED}`, () => {
  it('hold under concurrent writes', async () => {
    const outcomes: Record<string, number> = {};
    await eachWorld(async (world, hold) => {
      for (const otherWrites of [NO_OTHERS, RUSH]) {
        const run = await decide(world, {}, otherWrites);
        const key = run.refusal?.code ?? 'placed';
        outcomes[key] = (outcomes[key] ?? 0) + 1;
        holdStages(hold, run);
        holdPlaces(hold, run);
        holdRanking(hold, run, world);
        holdClaims(hold, run);
        holdAlternates(hold, run, world);
        holdAsked(hold, run, world);
      }
    });
    // Coverage: all of these outcomes must occur.
    for (const code of ['placed', 'scheduler.no_valid_host', 'scheduler.no_candidates', 'scheduler.claims_lost']) {
      expect([code, (outcomes[code] ?? 0) > ROUNDS / 200]).toEqual([code, true]);
    }
  });

  it('decide the same with the same seed and state, and a dry run like the real call', async () => {
    await eachWorld(async (world, hold) => {
      const real = await decide(world);
      const again = await decide(world);
      hold('the same again', documentOf(again), documentOf(real));
      const dry = await decide(world, { dryRun: true });
      hold('a dry run claims nothing', dry.claims.claimed.size, 0);
      hold('a dry run answers the same', answerOf(dry), answerOf(real));
      const all = await decide(world, { mode: 'all', explains: 'always' });
      hold('evidence changes nothing', answerOf(all), answerOf(real));
      const rushed = [await decide(world, {}, RUSH), await decide(world, {}, RUSH)] as const;
      hold('the same again in a rush', documentOf(rushed[1]), documentOf(rushed[0]));
    });
  });

  it('plan within capacity', async () => {
    await eachWorld(async (world, hold) => {
      const { placements } = await decide(world, { dryRun: true });
      const claims = new ClaimedRooms(world);
      for (const { instanceUuid, selected } of placements) {
        if (selected === null) continue;
        const { allocations } = selected.candidate;
        hold(
          'planned fits',
          await claims.claim([{ consumerUuid: instanceUuid, allocations } as never], newBatch('')),
          'claimed',
        );
      }
    });
  });

  it('count every host once when they are explained', async () => {
    await eachWorld(async (world, hold) => {
      const { decision } = await decide(world, { mode: 'all', explains: 'always' });
      const { placement } = decision;
      if (placement === null) return;
      const roots = (world.document.providers ?? []).filter(
        ({ parent_uuid: parent, traits = [] }) => parent === undefined && !traits.includes('MISC_SHARES_VIA_AGGREGATE'),
      );
      const rejected = (placement.rejections ?? []).map(({ root }) => root.uuid);
      hold('a host is rejected once', rejected.length, new Set(rejected).size);
      const reported = placement.hosts + rejected.length + (placement.notConsidered ?? 0);
      // A request that names a host is judged on that host alone.
      hold('every host is reported', reported, placement.query.includes('in_tree') ? 1 : roots.length);
      const [first] = decision.passes;
      const returned = first?.stages.flatMap((stage) => stage.rejected.map(({ node }) => node)) ?? [];
      const ranked = first?.ranking.map(({ state }) => state.node) ?? [];
      const names = new Map(roots.map(({ uuid, name }) => [uuid, name]));
      const both = rejected.filter((uuid) => [...returned, ...ranked].includes(names.get(uuid) ?? ''));
      hold('no host is both rejected and returned', both, []);
    });
  });
});

/** The document for clients, without durations. */
const documentOf = ({ decision }: Decided): object => ({
  ...presentDecision({ ...decision, durationMs: 0 }, { level: 'all' }),
});

const answerOf = (run: Decided): object => ({
  code: run.refusal?.code ?? null,
  nodes: nodesOf(run),
  weights: run.placements.map(({ selected }) => selected?.weight ?? null),
  allocations: run.placements.map(({ selected }) => selected?.candidate.allocations ?? null),
  alternates: run.placements.map(({ alternates }) => alternates.map(({ state }) => state.node)),
});
