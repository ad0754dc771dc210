// Places the instances of one request, one after the other, and then offers alternates. A host that was rejected once is
// out for the rest of the batch; a host that was chosen is charged before the next instance looks at it.
//
// Instances are planned a few dozen at a time against a model of what is left, and claimed together. When somebody took
// what was planned, those instances are placed again singly, each trying host after host.

import type { Random } from '../../platform/values/random';
import { assert } from '../../platform/values/assert';
import type { Walk } from '../../platform/values/walk';
import { chargeHost } from '../../scheduling-rules/host-state/charge-host';
import type { HostState } from '../../scheduling-rules/host-state/host-state';
import { topologyOfNextMember } from '../../scheduling-rules/host-state/charge-instance';
import { walkDriver } from '../../scheduling-rules/pipeline/define-driver';
import type { DriverAnswer, SelectionOptions } from '../../scheduling-rules/pipeline/define-driver';
import type { FilterEnvironment } from '../../scheduling-rules/pipeline/define-filter';
import type { HostName, PassRecord } from '../../scheduling-rules/pipeline/decision';
import type { DecisionRecorder } from '../../scheduling-rules/pipeline/explanation';
import { INSTANCES_CLAIMED_TOGETHER } from '../../scheduling-rules/pipeline/limits';
import { preselect } from '../../scheduling-rules/pipeline/preselect';
import type { UnknownHost } from '../../scheduling-rules/host-state/states-of-candidates';
import type { ConfiguredValues } from '../../scheduling-rules/pipeline/options';
import type { EnabledParts } from '../../scheduling-rules/pipeline/registry';
import type { StageRecord } from '../../scheduling-rules/pipeline/run-filters';
import type { HostWeight } from '../../scheduling-rules/pipeline/run-weighers';
import type { Candidate } from '../../placement/candidate-search';
import type { ProviderSummaries } from '../../scheduling-rules/host-state/host-state';
import type { RequestSpec } from '../../scheduling-rules/request-spec/request-spec';
import type { Caller } from '../../platform/event-loop/caller';
import { turns } from '../../platform/event-loop/turns';
import { BatchProgress } from './batch-progress';
import { ClaimLog } from './claim-log';
import type { GroupView } from './group-view';
import type { HostClaim, HostClaimer, Plan } from './host-claimer';

export interface BatchRun {
  readonly spec: RequestSpec;
  readonly hosts: readonly HostState[];
  readonly unknown: readonly UnknownHost[];
  readonly summaries: ProviderSummaries;
  readonly parts: EnabledParts;
  readonly selection: SelectionOptions;
  readonly mode: 'first' | 'all';
  readonly random: Random;
  readonly env: FilterEnvironment;
  /** Configured values, for drivers that ask a filter of their own choice. */
  readonly values: ConfiguredValues;
  /** `[compute] packing_host_numa_cells_allocation_strategy`. */
  readonly packing: boolean;
  readonly claimer: HostClaimer;
  readonly recorder: DecisionRecorder;
  readonly alternatesWanted: number;
  readonly caller: Caller | undefined;
}

/** A host with the candidate that was, or could be, claimed on it. */
export interface Placed {
  readonly state: HostState;
  readonly weight: number;
  readonly candidate: Candidate;
}

/** `selected` is null for instances beyond the fewest that had to be placed. */
export interface Placement {
  readonly instanceUuid: string;
  readonly selected: Placed | null;
  readonly alternates: readonly Placed[];
}

/** `lost`: hosts had passed, and somebody else took what they offered. `consumerExists`: the instance is claimed. */
export type BatchResult =
  | { readonly kind: 'placed'; readonly placements: readonly Placement[] }
  | { readonly kind: 'short'; readonly instanceUuid: string; readonly lost: boolean; readonly consumerExists: boolean };

/** Hosts in the order they are tried, and the stages the others fell out at. */
interface Round {
  readonly index: number;
  readonly spec: RequestSpec;
  readonly stages: readonly StageRecord[];
  readonly answer: DriverAnswer;
}

/** How an instance fared: it has a host, or why the batch ends. */
type Step =
  { readonly kind: 'next' } | { readonly kind: 'end'; readonly lost: boolean; readonly consumerExists: boolean };

/**
 * Every instance gets a host, or the first that gets none ends the batch; that is a success as well when as many were
 * placed as had to be. Undoing claims is the caller's duty.
 */
export async function placeBatch(run: BatchRun): Promise<BatchResult> {
  const { instanceUuids, minCount } = run.spec;
  const progress = new BatchProgress(run.hosts, run.spec);
  for (let index = 0; index < instanceUuids.length;) {
    await turns.giveWay(run.caller);
    const together = Math.min(INSTANCES_CLAIMED_TOGETHER, instanceUuids.length - index);
    if (together > 1 && (await planTogether(run, progress, index, together))) {
      index += together;
      continue;
    }
    if (together > 1) await run.claimer.takesSeveral();
    for (let left = together; left > 0; left -= 1, index += 1) {
      const step = await placeOne(run, progress, index);
      if (step.kind === 'next') continue;
      const { lost, consumerExists } = step;
      if (progress.chosen.length >= minCount && !consumerExists) return allPlaced(run, progress);
      return { kind: 'short', instanceUuid: instanceUuids[index] ?? '', lost, consumerExists };
    }
  }
  return allPlaced(run, progress);
}

/** Claims that cannot be undone are brought to their end, as if the caller were there still. */
async function allPlaced(run: BatchRun, progress: BatchProgress): Promise<BatchResult> {
  const caller = run.claimer.isUndoneByRelease ? run.caller : undefined;
  return { kind: 'placed', placements: await turns.run(walkPlacements(run, progress), caller) };
}

/**
 * Plans the next instances by what this request knows and claims them at once. False: one found no room or the claim was
 * refused; then nothing of it is left, and they are to be placed singly.
 */
async function planTogether(run: BatchRun, progress: BatchProgress, from: number, count: number): Promise<boolean> {
  const { room } = run.claimer;
  const marks = { room: room.mark(), progress: progress.mark() };
  const passes: PassRecord[] = [];
  const planned: { readonly plan: Plan; readonly spec: RequestSpec }[] = [];
  for (let index = from; index < from + count; index += 1) {
    const round = await turns.run(walkRound(run, progress, index), run.caller);
    const claims = new ClaimLog();
    const found = await planFirst(run, round, claims);
    if (found === null) break;
    const pass = passOf(round, { phase: 'select', selected: found.plan.state, claims });
    passes.push(run.recorder.cut(pass, passes.length));
    planned.push({ plan: found.plan, spec: round.spec });
    advance(run, progress, round, found);
  }
  const isAllOfIt = count === run.spec.instanceUuids.length;
  if (planned.length === count && !isAllOfIt) await run.claimer.takesSeveral();
  if (planned.length < count || (await run.claimer.claimTogether(planned)) !== 'claimed') {
    room.reset(marks.room);
    progress.reset(marks.progress);
    return false;
  }
  for (const pass of passes) run.recorder.passed(run.claimer.isDryRun ? pass : claimedPass(pass));
  return true;
}

const claimedPass = (pass: PassRecord): PassRecord => ({
  ...pass,
  claims: pass.claims.map((claim) => (claim.outcome === 'claimed' ? { ...claim, attempts: 1, message: null } : claim)),
});

/** A host for one instance and its weight there. */
interface Found {
  readonly plan: Plan;
  readonly weight: number;
}

async function planFirst(run: BatchRun, round: Round, claims: ClaimLog): Promise<Found | null> {
  const { spec, answer } = round;
  const group = run.claimer.groupView(spec, answer.order);
  for (let next = 0; ;) {
    const { at, claim } = await turns.run(walkFullHosts(run, round, { group, from: next, claims }), run.caller);
    const ranked = answer.order[at];
    if (ranked === undefined) return null;
    const { plan, records } = claim ?? (await run.claimer.plan(ranked.state, spec, group));
    claims.add(records);
    if (plan !== null) return { plan, weight: ranked.weight };
    next = at + 1;
  }
}

/**
 * Passes over the hosts that have no room as far as this request knows: answers the position of the first that has, with
 * what was planned there, or that has to be asked for more (null); the end of the order when there is none.
 */
function* walkFullHosts(
  { claimer }: BatchRun,
  { spec, answer: { order } }: Round,
  among: { readonly group: GroupView; readonly from: number; readonly claims: ClaimLog },
): Walk<{ readonly at: number; readonly claim: HostClaim | null }> {
  for (let at = among.from; at < order.length; at += 1) {
    if (at > among.from) yield;
    const claim = claimer.planAtOnce((order[at] as HostWeight).state, spec, among.group);
    if (claim === null || claim.plan !== null) return { at, claim };
    among.claims.add(claim.records);
  }
  return { at: order.length, claim: null };
}

/** One instance, claimed on the first host of the order that can be. */
async function placeOne(run: BatchRun, progress: BatchProgress, index: number): Promise<Step> {
  const round = await turns.run(walkRound(run, progress, index), run.caller);
  const claims = new ClaimLog();
  const found = run.claimer.isDryRun ? await planFirst(run, round, claims) : await claimFirst(run, round, claims);
  run.recorder.passed(passOf(round, { phase: 'select', selected: found?.plan.state ?? null, claims }));
  if (found === null) return { kind: 'end', lost: claims.hasAsked, consumerExists: claims.consumerExists };
  advance(run, progress, round, found);
  return { kind: 'next' };
}

async function claimFirst(run: BatchRun, round: Round, claims: ClaimLog): Promise<Found | null> {
  const { spec, answer } = round;
  const group = run.claimer.groupView(spec, answer.order);
  for (let next = 0; ;) {
    const { at } = await turns.run(walkFullHosts(run, round, { group, from: next, claims }), run.caller);
    const ranked = answer.order[at];
    if (ranked === undefined) return null;
    const { plan, records, consumerExists } = await run.claimer.claim(ranked.state, spec, group);
    claims.add(records);
    if (plan !== null) return { plan, weight: ranked.weight };
    if (consumerExists) return null;
    next = at + 1;
  }
}

/** What the next instance starts from: the host charged, the group with its new member. */
function advance(run: BatchRun, progress: BatchProgress, { spec, answer }: Round, { plan, weight }: Found): void {
  const { novaCompat, nowMs } = run.env;
  run.claimer.room.charge(plan.candidate);
  const { state: charged } = chargeHost(plan.state, {
    spec,
    candidate: plan.candidate,
    summaries: run.summaries,
    novaCompat,
    nowMs,
    packing: run.packing,
  });
  progress.advance({
    instanceUuid: spec.instanceUuid,
    plan,
    weight,
    order: answer.order,
    charged,
    numaTopology: topologyOfNextMember(progress.numaTopology, plan.placement, { novaCompat }),
  });
}

/** One round of pre-selection and driver. Law: every host came out rejected by one stage, or in the order. */
function* walkRound(run: BatchRun, progress: BatchProgress, index: number): Walk<Round> {
  const { group: instanceGroup, numaTopology } = progress;
  const instanceUuid = run.spec.instanceUuids[index] ?? '';
  const spec: RequestSpec = { ...run.spec, instanceUuid, instanceGroup, numaTopology };
  const { survivors, stage, skipsFilters } = preselect(progress.hosts, spec, index === 0 ? run.unknown : []);
  const { driver, filters, weighers } = run.parts;
  const { selection, mode, random, env, values } = run;
  const answer = yield* walkDriver(driver, {
    hosts: survivors,
    spec,
    index,
    mode,
    chosen: progress.takenHosts,
    filters: skipsFilters ? [] : filters,
    weighers,
    selection,
    random,
    env,
    values,
  });
  const fell = answer.stages.reduce((sum, { rejected }) => sum + rejected.length, 0);
  assert(survivors.length === fell + answer.order.length, 'a driver rejects or orders every host it was given');
  return { index, spec, stages: [stage, ...answer.stages], answer };
}

/** All instances in their order, each with where else it could go. */
function* walkPlacements(run: BatchRun, progress: BatchProgress): Walk<readonly Placement[]> {
  const offers = yield* walkAlternates(run, progress);
  const byCell = new Map<string | null, readonly Placed[]>();
  const chosen = new Map(progress.chosen.map((each) => [each.instanceUuid, each]));
  const placements: Placement[] = [];
  for (const instanceUuid of run.spec.instanceUuids) {
    yield;
    const found = chosen.get(instanceUuid);
    if (found === undefined) {
      placements.push({ instanceUuid, selected: null, alternates: [] });
      continue;
    }
    const { state, candidate } = found.plan;
    const alternates =
      byCell.get(state.cell) ??
      offers.filter((offer) => offer.state.cell === state.cell).slice(0, run.alternatesWanted);
    byCell.set(state.cell, alternates);
    run.recorder.offered(
      instanceUuid,
      alternates.map((offer) => nameOf(offer.state)),
    );
    placements.push({ instanceUuid, selected: { state, weight: found.weight, candidate }, alternates });
  }
  return placements;
}

/** Hosts that nobody of the batch got. A batch is filtered and weighed once more, as its claims changed the hosts. */
function* walkAlternates(run: BatchRun, progress: BatchProgress): Walk<readonly Placed[]> {
  if (run.alternatesWanted === 0) return [];
  const { chosen, takenHosts: taken } = progress;
  let { order } = progress;
  if (chosen.length > 1) {
    const round = yield* walkRound(run, progress, chosen.length - 1);
    run.recorder.passed(passOf(round, { phase: 'alternates', selected: null, claims: new ClaimLog() }));
    order = round.answer.order;
  }
  const missing = new Map(chosen.map(({ plan }) => [plan.state.cell, run.alternatesWanted]));
  const offers: Placed[] = [];
  for (const [at, { state, weight }] of order.entries()) {
    if (at > 0) yield;
    const wanted = missing.get(state.cell) ?? 0;
    const candidate = wanted === 0 || taken.has(state.uuid) ? null : run.claimer.offer(state);
    if (candidate === null) continue;
    offers.push({ state, weight, candidate });
    missing.set(state.cell, wanted - 1);
    if ([...missing.values()].every((left) => left === 0)) break;
  }
  return offers;
}

function passOf(
  { index, spec, stages, answer }: Round,
  end: Pick<PassRecord, 'phase'> & { readonly claims: ClaimLog; readonly selected: HostState | null },
): PassRecord {
  return {
    index,
    instanceUuid: spec.instanceUuid,
    phase: end.phase,
    stages,
    notes: answer.notes ?? [],
    weighers: answer.weighers,
    ranking: answer.order,
    drawnFrom: answer.drawnFrom,
    claims: end.claims.kept,
    ...(end.claims.isCut && { claimCounts: end.claims.counts }),
    selected: end.selected === null ? null : nameOf(end.selected),
    alternates: [],
  };
}

const nameOf = ({ host, node }: HostState): HostName => ({ host, node });
