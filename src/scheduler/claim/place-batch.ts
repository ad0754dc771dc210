// Places the instances of one request, one after the other, and then offers alternates. A host that was rejected once is
// out for the rest of the batch; a host that was chosen is charged before the next instance looks at it.
//
// Instances are planned a few dozen at a time against a model of what is left, and claimed together. When somebody took
// what was planned, those instances are placed again singly, each trying host after host.

import { assert } from '../../domain/assert';
import { chargeHost } from '../host-state/charge-host';
import type { HostState } from '../host-state/host-state';
import { topologyOfNextMember } from '../numa/charge-instance';
import type { DriverAnswer, SelectionOptions } from '../pipeline/define-driver';
import type { FilterEnvironment } from '../pipeline/define-filter';
import type { ClaimRecord, HostName, PassRecord } from '../pipeline/decision';
import type { DecisionRecorder } from '../pipeline/explanation';
import { INSTANCES_CLAIMED_TOGETHER } from '../pipeline/limits';
import { preselect } from '../pipeline/preselect';
import type { UnknownHost } from '../pipeline/preselect';
import type { ConfiguredValues } from '../pipeline/options';
import type { Random } from '../pipeline/random';
import type { EnabledParts } from '../pipeline/registry';
import type { StageRecord } from '../pipeline/run-filters';
import type { HostWeight } from '../pipeline/run-weighers';
import type { Candidate, ProviderSummaries } from '../request/candidate';
import type { InstanceGroup, RequestSpec } from '../request/request-spec';
import type { HostClaimer, Plan } from './host-claimer';

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
  /** Awaited between parts of the batch, so that a long dry run lets others work. */
  readonly pause?: () => Promise<void>;
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

/** What one instance leaves to the next. */
interface Progress {
  /** Hosts that passed last time, in their order, as they are now. */
  readonly hosts: readonly HostState[];
  readonly order: readonly HostWeight[];
  readonly group: InstanceGroup | null;
  readonly numaTopology: RequestSpec['numaTopology'];
  readonly chosen: readonly Chosen[];
}

interface Chosen {
  readonly instanceUuid: string;
  readonly spec: RequestSpec;
  readonly plan: Plan;
  readonly weight: number;
}

/** Hosts in the order they are tried, and the stages the others fell out at. */
interface Round {
  readonly index: number;
  readonly spec: RequestSpec;
  readonly stages: readonly StageRecord[];
  readonly answer: DriverAnswer;
}

/** How an instance fared: what comes next, or why the batch ends. */
type Step =
  | { readonly kind: 'next'; readonly progress: Progress }
  | { readonly kind: 'end'; readonly lost: boolean; readonly consumerExists: boolean };

/**
 * Every instance gets a host, or the first that gets none ends the batch; that is a success as well when as many were
 * placed as had to be. Undoing claims is the caller's duty.
 */
export async function placeBatch(run: BatchRun): Promise<BatchResult> {
  const { instanceUuids, minCount } = run.spec;
  let progress: Progress = {
    hosts: run.hosts,
    order: [],
    group: run.spec.instanceGroup,
    numaTopology: run.spec.numaTopology,
    chosen: [],
  };
  for (let index = 0; index < instanceUuids.length;) {
    await run.pause?.();
    const together = Math.min(INSTANCES_CLAIMED_TOGETHER, instanceUuids.length - index);
    const planned = together < 2 ? null : await planTogether(run, progress, index, together);
    if (planned !== null) {
      progress = planned;
      index += together;
      continue;
    }
    for (let left = together; left > 0; left -= 1, index += 1) {
      const step = await placeOne(run, progress, index);
      if (step.kind === 'next') {
        progress = step.progress;
        continue;
      }
      const { lost, consumerExists } = step;
      if (progress.chosen.length >= minCount && !consumerExists)
        return { kind: 'placed', placements: placed(run, progress) };
      return { kind: 'short', instanceUuid: instanceUuids[index] ?? '', lost, consumerExists };
    }
  }
  return { kind: 'placed', placements: placed(run, progress) };
}

/**
 * Plans the next instances by what this request knows and claims them at once. Null: one found no room or the claim was
 * refused; then nothing of it is left, and they are to be placed singly.
 */
async function planTogether(run: BatchRun, start: Progress, from: number, count: number): Promise<Progress | null> {
  const mark = run.claimer.room.mark();
  const passes: PassRecord[] = [];
  let progress = start;
  for (let index = from; index < from + count; index += 1) {
    const round = rankHosts(run, progress, index);
    const { plan, weight, records } = await planFirst(run, round);
    if (plan === null) {
      run.claimer.room.reset(mark);
      return null;
    }
    passes.push(passOf(round, { phase: 'select', selected: plan.state, claims: records }));
    progress = advance(run, progress, round, { plan, weight });
  }
  const chosen = progress.chosen.slice(start.chosen.length);
  if ((await run.claimer.claimTogether(chosen)) !== 'claimed') {
    run.claimer.room.reset(mark);
    return null;
  }
  for (const pass of passes) run.recorder.passed(run.claimer.isDryRun ? pass : claimedPass(pass));
  return progress;
}

const claimedPass = (pass: PassRecord): PassRecord => ({
  ...pass,
  claims: pass.claims.map((claim) => (claim.outcome === 'claimed' ? { ...claim, attempts: 1, message: null } : claim)),
});

async function planFirst(
  run: BatchRun,
  { spec, answer }: Round,
): Promise<{ readonly plan: Plan | null; readonly weight: number; readonly records: readonly ClaimRecord[] }> {
  const records: ClaimRecord[] = [];
  const group = run.claimer.groupView(spec, answer.order);
  for (const { state, weight } of answer.order) {
    const tried = await run.claimer.plan(state, spec, group);
    records.push(...tried.records);
    if (tried.plan !== null) return { plan: tried.plan, weight, records };
  }
  return { plan: null, weight: 0, records };
}

/** One instance, claimed on the first host of the order that can be. */
async function placeOne(run: BatchRun, progress: Progress, index: number): Promise<Step> {
  const round = rankHosts(run, progress, index);
  const claims: ClaimRecord[] = [];
  const group = run.claimer.groupView(round.spec, round.answer.order);
  for (const { state, weight } of round.answer.order) {
    const { plan, records, consumerExists } = await run.claimer.claim(state, round.spec, group);
    claims.push(...records);
    if (plan !== null) {
      run.recorder.passed(passOf(round, { phase: 'select', selected: state, claims }));
      return { kind: 'next', progress: advance(run, progress, round, { plan, weight }) };
    }
    if (consumerExists) break;
  }
  run.recorder.passed(passOf(round, { phase: 'select', selected: null, claims }));
  const consumerExists = claims.some(({ outcome }) => outcome === 'consumer_exists');
  return { kind: 'end', lost: claims.some(({ attempts }) => attempts > 0), consumerExists };
}

/** What the next instance starts from: the host charged, the group with its new member. */
function advance(
  run: BatchRun,
  progress: Progress,
  { spec, answer }: Round,
  { plan, weight }: { readonly plan: Plan; readonly weight: number },
): Progress {
  const { novaCompat, nowMs } = run.env;
  run.claimer.room.charge(plan.candidate);
  const { state: charged } = chargeHost(plan.state, {
    ...{ spec, candidate: plan.candidate, summaries: run.summaries },
    ...{ novaCompat, nowMs, packing: run.packing },
  });
  const group = progress.group && {
    ...progress.group,
    members: new Set(progress.group.members).add(spec.instanceUuid),
    hosts: new Set(progress.group.hosts).add(plan.state.host),
  };
  return {
    hosts: answer.order.map(({ state }) => (state === plan.state ? charged : state)),
    order: answer.order,
    group,
    numaTopology: topologyOfNextMember(progress.numaTopology, plan.placement, { novaCompat }),
    chosen: [...progress.chosen, { instanceUuid: spec.instanceUuid, spec, plan, weight }],
  };
}

/** One round of pre-selection and driver. Law: every host came out rejected by one stage, or in the order. */
function rankHosts(run: BatchRun, progress: Progress, index: number): Round {
  const { group: instanceGroup, numaTopology } = progress;
  const instanceUuid = run.spec.instanceUuids[index] ?? '';
  const spec: RequestSpec = { ...run.spec, instanceUuid, instanceGroup, numaTopology };
  const { survivors, stage, skipsFilters } = preselect(progress.hosts, spec, index === 0 ? run.unknown : []);
  const { driver, filters, weighers } = run.parts;
  const { selection, mode, random, env, values } = run;
  const chosen = new Set(progress.chosen.map(({ plan }) => plan.state.uuid));
  const asked = skipsFilters ? [] : filters;
  const given = { filters: asked, weighers, selection, random, env, values };
  const answer = driver.rank({ hosts: survivors, spec, index, mode, chosen, ...given });
  const fell = answer.stages.reduce((sum, { rejected }) => sum + rejected.length, 0);
  assert(survivors.length === fell + answer.order.length, 'a driver rejects or orders every host it was given');
  return { index, spec, stages: [stage, ...answer.stages], answer };
}

/** All instances in their order, each with where else it could go. */
function placed(run: BatchRun, progress: Progress): readonly Placement[] {
  const offers = alternatesOf(run, progress);
  const chosen = new Map(progress.chosen.map((each) => [each.instanceUuid, each]));
  return run.spec.instanceUuids.map((instanceUuid) => {
    const found = chosen.get(instanceUuid);
    if (found === undefined) return { instanceUuid, selected: null, alternates: [] };
    const { state, candidate } = found.plan;
    const alternates = offers.filter((offer) => offer.state.cell === state.cell).slice(0, run.alternatesWanted);
    run.recorder.offered(
      instanceUuid,
      alternates.map((offer) => nameOf(offer.state)),
    );
    return { instanceUuid, selected: { state, weight: found.weight, candidate }, alternates };
  });
}

/** Hosts that nobody of the batch got. A batch is filtered and weighed once more, as its claims changed the hosts. */
function alternatesOf(run: BatchRun, progress: Progress): readonly Placed[] {
  if (run.alternatesWanted === 0) return [];
  const { chosen } = progress;
  const taken = new Set(chosen.map(({ plan }) => plan.state.uuid));
  let { order } = progress;
  if (chosen.length > 1) {
    const round = rankHosts(run, progress, chosen.length - 1);
    run.recorder.passed(passOf(round, { phase: 'alternates', selected: null, claims: [] }));
    order = round.answer.order;
  }
  const missing = new Map(chosen.map(({ plan }) => [plan.state.cell, run.alternatesWanted]));
  const offers: Placed[] = [];
  for (const { state, weight } of order) {
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
  end: Pick<PassRecord, 'phase' | 'claims'> & { readonly selected: HostState | null },
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
    claims: end.claims,
    selected: end.selected === null ? null : nameOf(end.selected),
    alternates: [],
  };
}

const nameOf = ({ host, node }: HostState): HostName => ({ host, node });
