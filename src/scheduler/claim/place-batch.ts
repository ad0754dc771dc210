// Places the instances of one request, one after the other, and then offers alternates. A host that was rejected once is
// out for the rest of the batch; a host that was chosen is charged before the next instance looks at it.

import { assert } from '../../domain/assert';
import { chargeHost } from '../host-state/host-state';
import type { HostState } from '../host-state/host-state';
import type { DriverAnswer, SelectionOptions } from '../pipeline/define-driver';
import type { FilterEnvironment } from '../pipeline/define-filter';
import type { ClaimRecord, HostName } from '../pipeline/decision';
import type { DecisionRecorder } from '../pipeline/explanation';
import { preselect } from '../pipeline/preselect';
import type { UnknownHost } from '../pipeline/preselect';
import type { Random } from '../pipeline/random';
import type { EnabledParts } from '../pipeline/registry';
import type { StageRecord } from '../pipeline/run-filters';
import type { HostWeight } from '../pipeline/run-weighers';
import type { Candidate, ProviderSummaries } from '../request/candidate';
import type { RequestSpec } from '../request/request-spec';
import type { HostClaimer } from './host-claimer';

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
  readonly claimer: HostClaimer;
  readonly recorder: DecisionRecorder;
  readonly alternatesWanted: number;
}

/** A host with the candidate that was, or could be, claimed on it. */
export interface Placed {
  readonly state: HostState;
  readonly weight: number;
  readonly candidate: Candidate;
}

export interface Placement {
  readonly instanceUuid: string;
  readonly selected: Placed;
  readonly alternates: readonly Placed[];
}

/** `lost`: hosts had passed, and somebody else took what they offered. `consumerExists`: the instance is claimed. */
export type BatchResult =
  | { readonly kind: 'placed'; readonly placements: readonly Placement[] }
  | { readonly kind: 'short'; readonly instanceUuid: string; readonly lost: boolean; readonly consumerExists: boolean };

/** Hosts in the order they are tried, and the stages the others fell out at. */
interface Round {
  readonly spec: RequestSpec;
  readonly stages: readonly StageRecord[];
  readonly answer: DriverAnswer;
}

/** Every instance gets a host, or the first that gets none ends the batch. Undoing claims is the caller's duty. */
export async function placeBatch(run: BatchRun): Promise<BatchResult> {
  let hosts = run.hosts;
  const chosen: { readonly instanceUuid: string; readonly selected: Placed }[] = [];
  let order: readonly HostWeight[] = [];
  for (const [index, instanceUuid] of run.spec.instanceUuids.entries()) {
    const round = rankHosts(run, { hosts, index, instanceUuid });
    const { selected, claims, consumerExists } = await claimFirst(run, round);
    record(run, { round, index, phase: 'select', selected: selected?.state ?? null, claims });
    if (selected === null) {
      return { kind: 'short', instanceUuid, lost: claims.some(({ attempts }) => attempts > 0), consumerExists };
    }
    chosen.push({ instanceUuid, selected });
    order = round.answer.order;
    hosts = order.map(({ state }) =>
      state === selected.state ? chargeHost(state, instanceUuid, selected.candidate, run.summaries) : state,
    );
  }
  const offers = alternatesOf(run, { chosen, hosts, order });
  const placements = chosen.map(({ instanceUuid, selected }) => {
    const alternates = offers.filter(({ state }) => state.cell === selected.state.cell).slice(0, run.alternatesWanted);
    run.recorder.offered(
      instanceUuid,
      alternates.map(({ state }) => nameOf(state)),
    );
    return { instanceUuid, selected, alternates };
  });
  return { kind: 'placed', placements };
}

/** One round of pre-selection and driver. Law: every host came out rejected by one stage, or in the order. */
function rankHosts(
  run: BatchRun,
  at: { readonly hosts: readonly HostState[]; readonly index: number; readonly instanceUuid: string },
): Round {
  const spec: RequestSpec = { ...run.spec, instanceUuid: at.instanceUuid };
  const { survivors, stage } = preselect(at.hosts, spec, at.index === 0 ? run.unknown : []);
  const { driver, filters, weighers } = run.parts;
  const { selection, mode, random, env } = run;
  const answer = driver.rank({
    hosts: survivors,
    spec,
    index: at.index,
    mode,
    filters,
    weighers,
    selection,
    random,
    env,
  });
  const fell = answer.stages.reduce((sum, { rejected }) => sum + rejected.length, 0);
  assert(survivors.length === fell + answer.order.length, 'a driver rejects or orders every host it was given');
  return { spec, stages: [stage, ...answer.stages], answer };
}

/** The first host of the order that can be claimed. */
async function claimFirst(
  run: BatchRun,
  { spec, answer }: Round,
): Promise<{
  readonly selected: Placed | null;
  readonly claims: readonly ClaimRecord[];
  readonly consumerExists: boolean;
}> {
  const claims: ClaimRecord[] = [];
  for (const { state, weight } of answer.order) {
    const { candidate, records, consumerExists } = await run.claimer.claim(state, spec.instanceUuid);
    claims.push(...records);
    const selected = candidate === null ? null : { state, weight, candidate };
    if (selected !== null || consumerExists) return { selected, claims, consumerExists };
  }
  return { selected: null, claims, consumerExists: false };
}

/** Hosts that nobody of the batch got. A batch is filtered and weighed once more, as its claims changed the hosts. */
function alternatesOf(
  run: BatchRun,
  after: {
    readonly chosen: readonly { readonly selected: Placed }[];
    readonly hosts: readonly HostState[];
    readonly order: readonly HostWeight[];
  },
): readonly Placed[] {
  if (run.alternatesWanted === 0) return [];
  const taken = new Set(after.chosen.map(({ selected }) => selected.state.uuid));
  let { order } = after;
  if (after.chosen.length > 1) {
    const index = after.chosen.length - 1;
    const round = rankHosts(run, { hosts: after.hosts, index, instanceUuid: run.spec.instanceUuids[index] ?? '' });
    record(run, { round, index, phase: 'alternates', selected: null, claims: [] });
    order = round.answer.order;
  }
  return order.flatMap(({ state, weight }) => {
    const candidate = taken.has(state.uuid) ? null : run.claimer.offer(state);
    return candidate === null ? [] : [{ state, weight, candidate }];
  });
}

function record(
  run: BatchRun,
  pass: {
    readonly round: Round;
    readonly index: number;
    readonly phase: 'select' | 'alternates';
    readonly selected: HostState | null;
    readonly claims: readonly ClaimRecord[];
  },
): void {
  const { spec, stages, answer } = pass.round;
  run.recorder.passed({
    index: pass.index,
    instanceUuid: spec.instanceUuid,
    phase: pass.phase,
    stages,
    weighers: answer.weighers,
    ranking: answer.order.map(({ state, weight }) => ({ ...nameOf(state), weight })),
    drawnFrom: answer.drawnFrom,
    claims: pass.claims,
    selected: pass.selected === null ? null : nameOf(pass.selected),
    alternates: [],
  });
}

const nameOf = ({ host, node }: HostState): HostName => ({ host, node });
