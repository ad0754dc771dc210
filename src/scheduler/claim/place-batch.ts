// Places the instances of one request one after the other, then determines the alternates. A host that a stage rejected
// stays out for the rest of the batch. A chosen host is charged before the next instance is placed.
//
// A few dozen instances at a time are planned against the remaining capacity and claimed in one transaction. Too small a
// plan claims nothing, because what it claimed would be missing for others until it is released. If other requests took
// what was planned, the caller plans again with fresh data; the last time, the same instances are placed one at a time,
// each with its own claims on host after host.

import { tasks } from '../../platform/event-loop/task-scheduler';
import { seededRandom } from '../../platform/values/random';
import type { Task } from '../../platform/values/task';
import { chargeHost } from '../../scheduling-rules/host-state/charge-host';
import { topologyOfNextMember } from '../../scheduling-rules/host-state/charge-instance';
import type { HostState, ProviderSummaries } from '../../scheduling-rules/host-state/host-state';
import type { UnknownHost } from '../../scheduling-rules/host-state/states-of-candidates';
import type { PassRecord } from '../../scheduling-rules/pipeline/decision';
import { INSTANCES_CLAIMED_TOGETHER } from '../../scheduling-rules/pipeline/limits';
import type { HostWeight } from '../../scheduling-rules/pipeline/run-weighers';
import type { RequestSpec } from '../../scheduling-rules/request-spec/request-spec';
import type { ClassView } from '../request-classes/class-view';
import { AskedFromNothing } from '../request-classes/class-view';
import type { BatchPass } from './batch-pass';
import { nameOf, recordOfPass, runPass } from './batch-pass';
import type { Chosen } from './batch-progress';
import { BatchProgress } from './batch-progress';
import { ClaimLog } from './claim-log';
import type { GroupView } from './group-view';
import type { HostClaim, HostClaimer, Plan } from './host-claimer';
import type { Placed, Placement } from './placement';

/** The hosts of one request, and who claims them. */
export interface BatchRun {
  readonly claimer: HostClaimer;
  readonly spec: RequestSpec;
  readonly hosts: readonly HostState[];
  readonly unknown: readonly UnknownHost[];
  readonly summaries: ProviderSummaries;
  /** The kept hosts of the request class, instead of `hosts`. */
  readonly view?: ClassView;
}

/** `lost`: a claim was refused on a host that had passed. `consumerExists`: the instance has allocations already. */
export type BatchResult =
  | { readonly kind: 'placed'; readonly placements: readonly Placement[] }
  | { readonly kind: 'short'; readonly instanceUuid: string; readonly lost: boolean; readonly consumerExists: boolean };

/**
 * The first instance without a host ends the batch. The result is still `placed` if at least `min_count` instances were
 * placed before it. The caller must undo the claims of any other result.
 */
export async function placeBatch(batch: BatchRun): Promise<BatchResult> {
  const { instanceUuids, minCount } = batch.spec;
  const { run } = batch.claimer;
  const progress = new BatchProgress(batch, seededRandom(run.seed));
  for (let index = 0; index < instanceUuids.length;) {
    await tasks.yieldToEventLoop(run.command.caller);
    const end = Math.min(index + INSTANCES_CLAIMED_TOGETHER, instanceUuids.length);
    if (end - index > 1) {
      const together = await placeTogether(batch, progress, end);
      if (together === 'done') {
        index = progress.chosen.length;
        if (index === end) continue;
        return index >= minCount ? allPlaced(batch, progress) : shortOf(batch, index);
      }
      if (together === 'lost' && run.isRepeatable && index === 0) return shortOf(batch, index, { lost: true });
      // The view has charged the hosts of the plan.
      if (batch.view !== undefined) throw new AskedFromNothing();
      await batch.claimer.takesSeveral();
    }
    for (; index < end; index += 1) {
      const claims = new ClaimLog();
      if (await placeOne(batch, progress, claims)) continue;
      const { hasAsked: lost, consumerExists } = claims;
      if (index >= minCount && !consumerExists) return allPlaced(batch, progress);
      return shortOf(batch, index, { lost, consumerExists });
    }
  }
  return allPlaced(batch, progress);
}

const shortOf = ({ spec }: BatchRun, index: number, { lost = false, consumerExists = false } = {}): BatchResult => ({
  kind: 'short',
  instanceUuid: spec.instanceUuids[index] ?? '',
  lost,
  consumerExists,
});

/**
 * Plans the instances up to `end`, until one finds no room, and claims them in one transaction if they are enough for the
 * request. `done`: `progress` has the planned instances. Otherwise the claim was refused and all of it is undone.
 */
async function placeTogether(
  batch: BatchRun,
  progress: BatchProgress,
  end: number,
): Promise<'done' | 'lost' | 'consumer_exists'> {
  const { claimer, spec } = batch;
  const { recorder } = claimer.run;
  const marks = { room: claimer.room.mark(), progress: progress.mark() };
  const passes: PassRecord[] = [];
  const planned: { readonly plan: Plan; readonly spec: RequestSpec }[] = [];
  while (progress.chosen.length < end) {
    const pass = await nextPass(batch, progress);
    const claims = new ClaimLog();
    const chosen = await chooseHost(batch, pass, { claims, isPlanned: true });
    passes.push(recorder.cut(recordOfPass(pass, 'select', claims, chosen?.plan.state), passes.length));
    if (chosen === null) break;
    planned.push({ plan: chosen.plan, spec: pass.spec });
    advance(batch, progress, pass, chosen);
  }
  const isClaimed = planned.length > 0 && progress.chosen.length >= Math.min(end, spec.minCount);
  if (isClaimed) {
    if (progress.chosen.length === end && end < spec.instanceUuids.length) await claimer.takesSeveral();
    const answer = await claimer.claimTogether(planned);
    if (answer !== 'claimed') {
      claimer.room.reset(marks.room);
      progress.reset(marks.progress);
      return answer !== 'host_unavailable' && answer.outcome === 'consumer_exists' ? 'consumer_exists' : 'lost';
    }
  }
  for (const pass of passes) recorder.passed(isClaimed && !claimer.isDryRun ? claimedPass(pass) : pass);
  return 'done';
}

const claimedPass = (pass: PassRecord): PassRecord => ({
  ...pass,
  claims: pass.claims.map((claim) => (claim.outcome === 'claimed' ? { ...claim, attempts: 1, message: null } : claim)),
});

/** Places the next instance. Returns false if no host accepted it. */
async function placeOne(batch: BatchRun, progress: BatchProgress, claims: ClaimLog): Promise<boolean> {
  const { claimer } = batch;
  const pass = await nextPass(batch, progress);
  const chosen = await chooseHost(batch, pass, { claims, isPlanned: claimer.isDryRun });
  claimer.run.recorder.passed(recordOfPass(pass, 'select', claims, chosen?.plan.state));
  if (chosen !== null) advance(batch, progress, pass, chosen);
  return chosen !== null;
}

async function nextPass({ claimer: { run }, view }: BatchRun, progress: BatchProgress): Promise<BatchPass> {
  const index = progress.chosen.length;
  return view?.pass(progress, index) ?? tasks.run(runPass(run, progress, index), run.command.caller);
}

/**
 * The first host of the order that accepts the instance: by its plan, or by its claim. The claim of an only instance
 * stores its alternates.
 */
async function chooseHost(
  { claimer, spec: { instanceUuids } }: BatchRun,
  pass: BatchPass,
  how: { readonly claims: ClaimLog; readonly isPlanned: boolean },
): Promise<Chosen | null> {
  const { spec, answer } = pass;
  const { caller } = claimer.run.command;
  const group = claimer.groupView(spec, answer.order);
  for (let from = 0; ;) {
    const { at, plan } = await tasks.run(skipFullHosts(claimer, pass, { group, from, claims: how.claims }), caller);
    const ranked = answer.order[at];
    if (ranked === undefined) return null;
    const alternates = instanceUuids.length > 1 ? null : await tasks.run(alternatesOf(claimer, answer, ranked), caller);
    const tried = how.isPlanned
      ? (plan ?? (await claimer.plan(ranked.state, spec, group)))
      : await claimer.claim(ranked.state, spec, group, alternates);
    how.claims.add(tried.records);
    if (tried.plan !== null) return { plan: tried.plan, weight: ranked.weight, alternates };
    if (tried.consumerExists) return null;
    from = at + 1;
  }
}

/**
 * The position of the first host that is not known to be full, with its plan. The plan is null if the host has to be
 * asked for further candidates first. The position is the end of the order if all hosts are full.
 */
function* skipFullHosts(
  claimer: HostClaimer,
  { spec, answer: { order } }: BatchPass,
  { group, from, claims }: { readonly group: GroupView; readonly from: number; readonly claims: ClaimLog },
): Task<{ readonly at: number; readonly plan: HostClaim | null }> {
  for (let at = from; ; at += 1) {
    if (at > from) yield;
    const ranked = order[at];
    const plan = ranked === undefined ? null : claimer.planAtOnce(ranked.state, spec, group);
    if (plan === null || plan.plan !== null) return { at, plan };
    claims.add(plan.records);
  }
}

/** Charges the chosen host, and adds the instance to its group, before the next instance is placed. */
function advance(
  batch: BatchRun,
  progress: BatchProgress,
  { spec, answer }: BatchPass,
  { plan, weight, alternates }: Chosen,
): void {
  const { novaCompat, nowMs } = batch.claimer.run.env;
  const { candidate, placement } = plan;
  batch.claimer.room.charge(candidate);
  const charged = chargeHost(plan.state, { spec, candidate, placement, summaries: batch.summaries, novaCompat, nowMs });
  batch.view?.charge(charged);
  progress.advance({
    spec,
    plan,
    weight,
    alternates,
    order: answer.order,
    charged,
    numaTopology: topologyOfNextMember(spec.numaTopology, placement, { novaCompat }),
  });
}

/** If a release cannot undo the claims, the batch is completed even for a caller that has disconnected. */
async function allPlaced(batch: BatchRun, progress: BatchProgress): Promise<BatchResult> {
  const { isUndoneByRelease, run } = batch.claimer;
  const caller = isUndoneByRelease ? run.command.caller : undefined;
  return { kind: 'placed', placements: await tasks.run(placementsOf(batch, progress), caller) };
}

/** All instances in their order, each with the alternates in the cell of its host. */
function* placementsOf(batch: BatchRun, progress: BatchProgress): Task<readonly Placement[]> {
  const alternatesByCell = yield* findAlternates(batch, progress);
  const placements: Placement[] = [];
  for (const [index, instanceUuid] of batch.spec.instanceUuids.entries()) {
    yield;
    const chosen = progress.chosen[index];
    if (chosen === undefined) {
      placements.push({ instanceUuid, selected: null, alternates: [] });
      continue;
    }
    const { state, candidate } = chosen.plan;
    const alternates = chosen.alternates ?? alternatesByCell.get(state.cell) ?? [];
    batch.claimer.run.recorder.offered(
      instanceUuid,
      alternates.map((alternate) => nameOf(alternate.state)),
    );
    placements.push({ instanceUuid, selected: { state, weight: chosen.weight, candidate }, alternates });
  }
  return placements;
}

/** For an only instance: up to `alternatesWanted` further hosts in the cell of its host, in their order. */
function* alternatesOf(
  claimer: HostClaimer,
  { order }: BatchPass['answer'],
  { state }: HostWeight,
): Task<readonly Placed[]> {
  const byCell = new Map([[state.cell, [] as Placed[]]]);
  yield* addAlternates(claimer, order, byCell, ({ uuid }) => uuid === state.uuid);
  return byCell.get(state.cell) ?? [];
}

/**
 * For each cell with a chosen host of a batch, up to `alternatesWanted` hosts that no instance of the batch is on. The
 * pipeline runs once more, because the claims of the batch changed the hosts.
 */
function* findAlternates(
  batch: BatchRun,
  progress: BatchProgress,
): Task<ReadonlyMap<string | null, readonly Placed[]>> {
  const { claimer, spec } = batch;
  const { chosen, takenHosts } = progress;
  const byCell = new Map(chosen.map(({ plan }): [string | null, Placed[]] => [plan.state.cell, []]));
  if (alternatesWanted(claimer) === 0 || spec.instanceUuids.length === 1) return byCell;
  let { order } = progress;
  if (chosen.length > 1) {
    const pass =
      batch.view?.pass(progress, chosen.length - 1) ?? (yield* runPass(claimer.run, progress, chosen.length - 1));
    claimer.run.recorder.passed(recordOfPass(pass, 'alternates', new ClaimLog(), undefined));
    order = pass.answer.order;
  }
  yield* addAlternates(claimer, order, byCell, ({ uuid }) => takenHosts.has(uuid));
  return byCell;
}

const alternatesWanted = ({ run: { command, pipeline } }: HostClaimer): number =>
  command.returnAlternates === true ? pipeline.options.maxAttempts - 1 : 0;

function* addAlternates(
  claimer: HostClaimer,
  order: readonly HostWeight[],
  byCell: ReadonlyMap<string | null, Placed[]>,
  isTaken: (state: HostState) => boolean,
): Task<void> {
  const wanted = alternatesWanted(claimer);
  for (const [at, { state, weight }] of order.entries()) {
    if ([...byCell.values()].every(({ length }) => length === wanted)) return;
    if (at > 0) yield;
    const found = byCell.get(state.cell);
    if (found === undefined || found.length === wanted || isTaken(state)) continue;
    const candidate = claimer.offer(state);
    if (candidate !== null) found.push({ state, weight, candidate });
  }
}
