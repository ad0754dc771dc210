// Claims hosts for the instances of one request. Tries the candidates of a host in order, each a limited number of
// times while other requests write to the same providers. A host counts as failed after all of its candidates failed,
// including further ones from Placement. Instances that were planned together are claimed together.

import type { Candidate } from '../../placement/candidate-search';
import type { NumaPciPlacement } from '../../scheduling-rules/host-state/charge-instance';
import { placeInstance } from '../../scheduling-rules/host-state/charge-instance';
import type { HostState } from '../../scheduling-rules/host-state/host-state';
import { zoneOf } from '../../scheduling-rules/host-state/host-state';
import type { ClaimOutcome, ClaimRecord } from '../../scheduling-rules/pipeline/decision';
import { CLAIM_PAUSE_STEP_MS, MAX_CLAIM_TRIES } from '../../scheduling-rules/pipeline/limits';
import { RemainingCapacity } from '../../scheduling-rules/pipeline/remaining-capacity';
import type { HostWeight } from '../../scheduling-rules/pipeline/run-weighers';
import type { RequestSpec } from '../../scheduling-rules/request-spec/request-spec';
import type { DecisionRun, FoundHosts } from '../decide/decision-run';
import { placementDocuments } from '../decide/placement-documents';
import { stoppedHosts } from '../decide/service-facts';
import type {
  ClaimBatch,
  ClaimedGroup,
  ClaimRefusal,
  ClaimRequest,
  Claims,
  HeldInstance,
  HostSource,
  OfferedHost,
  SchedulerEnvironment,
} from '../ports';
import { newBatch } from '../ports';
import { mergeWithExisting, whyNotMerged } from './existing-allocations';
import { GroupView, groupViewOf } from './group-view';
import { offeredHost, offersOf } from './offers';
import type { Placed, Placement } from './placement';

/** A host for one instance: the candidate, with its NUMA cells and devices. */
export interface Plan {
  readonly state: HostState;
  readonly candidate: Candidate;
  readonly placement: NumaPciPlacement | null;
}

export interface HostClaim {
  /** The claimed plan, or null. */
  readonly plan: Plan | null;
  readonly records: readonly ClaimRecord[];
  /** The instance has allocations that cannot be kept, so no other host can help. */
  readonly consumerExists: boolean;
}

type Tried = Pick<ClaimRecord, 'outcome' | 'attempts' | 'message'>;

const DRY_RUN: Tried = { outcome: 'claimed', attempts: 0, message: 'planned, nothing was written' };
const ROOM_TAKEN: Tried = {
  outcome: 'no_capacity',
  attempts: 0,
  message: 'earlier instances of this request took the room',
};

/** The claims of one request. In a dry run, every fitting plan counts as claimed, and nothing is written. */
export class HostClaimer {
  readonly room: RemainingCapacity;
  /** The request has claims, or possibly has some, that must be undone if it fails. */
  mayHold = false;
  /** Why an instance with existing allocations was refused. */
  mergeRefusal: string | null = null;
  /** Null for a dry run. */
  private readonly claims: Claims | null;
  private readonly batch: ClaimBatch;
  private readonly furtherCandidates = new Map<string, readonly Candidate[]>();
  /** Existing allocations of the instance, which the claim keeps. */
  private existing: HeldInstance | undefined;
  private isHeldKnown = false;
  /** Of an only instance, stored by its claim; null: `finish` stores the alternates. */
  private alternates: readonly OfferedHost[] | null = null;

  constructor(
    readonly run: DecisionRun,
    /** Null: Placement was not asked, and the hosts have no further candidates. */
    private readonly found: Pick<FoundHosts, 'answer' | 'search'> | null,
    private readonly ports: {
      readonly claims: Claims | null;
      readonly env: Pick<SchedulerEnvironment, 'now' | 'jitter' | 'sleep'>;
      readonly hosts: Pick<HostSource, 'servicesNow'>;
    },
  ) {
    this.room = new RemainingCapacity(found?.answer.summaries ?? new Map());
    this.claims = run.command.dryRun ? null : ports.claims;
    this.batch = newBatch(run.command.requestId);
  }

  get isDryRun(): boolean {
    return this.claims === null;
  }

  /** Whether Placement can know more candidates of the host than it returned; nova considers only the first one. */
  mayHaveMore({ candidates }: HostState): boolean {
    const { run, found } = this;
    if (run.env.novaCompat || found === null) return false;
    // In a truncated answer, any host can have further candidates.
    const isCut = found.answer.hasFurtherOfHosts ?? found.answer.truncated;
    return isCut || candidates.length >= run.pipeline.options.candidatesPerHost;
  }

  /** Keeps the claims of the request, with the alternates of each instance and the caller's own write. */
  async finish(placements: readonly Placement[]): Promise<void> {
    const { conclude } = this.run.command;
    const placed = placements.flatMap(({ instanceUuid, selected }) => (selected === null ? [] : instanceUuid));
    const offers = this.alternates === null ? offersOf(placements) : [];
    await this.claims?.finish(offers, this.batch, conclude && ((tx) => conclude(tx, placed)));
  }

  /** Undoes the claims of the request. */
  async release(): Promise<void> {
    if (this.mayHold || this.batch.isOpen) await this.claims?.release(this.batch);
  }

  /** The server group's verdict on these hosts; claims enforce the policy of registered groups only. */
  groupView(spec: RequestSpec, order: readonly HostWeight[]): GroupView {
    const group = this.groupOf(spec);
    return group?.isEnforced === true ? groupViewOf(spec, order) : new GroupView();
  }

  /** The first candidate that fits as far as this request knows; claims nothing. */
  async plan(host: HostState, spec: RequestSpec, group: GroupView): Promise<HostClaim> {
    const known = this.planAtOnce(host, spec, group);
    if (known !== null) return known;
    await this.furtherOf(host, spec);
    return this.planAtOnce(host, spec, group) ?? NOTHING_PLANNED;
  }

  /** Same, without waiting; null if the host's further candidates must be requested first. */
  planAtOnce(host: HostState, spec: RequestSpec, group: GroupView): HostClaim | null {
    const refused = group.refusal(host);
    if (refused !== null) return refusedAtOnce(host, 'policy', refused);
    const records: ClaimRecord[] = [];
    const planAmong = (candidates: readonly Candidate[]): Plan | null => {
      for (const candidate of candidates) {
        const fits = this.room.fits(candidate);
        records.push({ ...nameOf(host), candidate: records.length, ...(fits ? DRY_RUN : ROOM_TAKEN) });
        if (fits) return this.planOf(host, candidate, spec);
      }
      return null;
    };
    const first = planAmong(this.shownOf(host));
    if (first !== null) return { plan: first, records, consumerExists: false };
    const further = this.knownFurtherOf(host);
    return further === undefined ? null : { plan: planAmong(further), records, consumerExists: false };
  }

  /** Claims all plans or none. */
  async claimTogether(
    planned: readonly { readonly plan: Plan; readonly spec: RequestSpec }[],
  ): Promise<'claimed' | 'host_unavailable' | ClaimRefusal> {
    const [first] = planned;
    const hosts = planned.map(({ plan }) => plan.state);
    if (first !== undefined && (await this.stoppedOf(hosts, first.spec)).size > 0) return 'host_unavailable';
    return this.send(planned.map(({ plan, spec }) => this.claimOf(plan, spec)));
  }

  /** The claims of this request need several transactions; this is recorded before the first one. */
  async takesSeveral(): Promise<void> {
    if (this.batch.isOpen || this.run.command.replaces !== undefined) return;
    await this.claims?.open(this.batch);
  }

  /** Releasing the instance undoes exactly this claim, because it had no allocations before. */
  get isUndoneByRelease(): boolean {
    return this.run.command.replaces === undefined && this.existing === undefined;
  }

  /** Hosts whose compute service stopped after the filters, by uuid, each with the reason. */
  private async stoppedOf(hosts: readonly HostState[], spec: RequestSpec): Promise<ReadonlyMap<string, string>> {
    if (this.claims === null) return NONE_STOPPED;
    const { pipeline, env } = this.run;
    const { hosts: source, env: clock } = this.ports;
    return stoppedHosts(hosts, spec, {
      source,
      filters: pipeline.parts.filters,
      env: { ...env, nowMs: clock.now() },
    });
  }

  private async send(requests: readonly ClaimRequest[]): Promise<'claimed' | ClaimRefusal> {
    if (this.claims === null) return 'claimed';
    const mayHold = this.mayHold;
    // If the response of a claim is lost, the claim can still have succeeded.
    this.mayHold = this.isUndoneByRelease;
    const answer = await this.claims.claim(requests, this.batch);
    if (answer !== 'claimed') this.mayHold = mayHold;
    return answer;
  }

  /**
   * Claims the first possible candidate; records every candidate that was tried. With `alternates`, the placement is
   * stored with them.
   */
  async claim(
    host: HostState,
    spec: RequestSpec,
    group: GroupView,
    alternates: readonly Placed[] | null = null,
  ): Promise<HostClaim> {
    this.alternates = alternates && alternates.map(offeredHost);
    const refused = group.refusal(host);
    if (refused !== null) return refusedAtOnce(host, 'policy', refused);
    const stopped = (await this.stoppedOf([host], spec)).get(host.uuid);
    if (stopped !== undefined) return refusedAtOnce(host, 'host_unavailable', stopped);
    const shown = this.shownOf(host);
    const first = await this.claimOneOf(host, { spec, group, candidates: shown, from: 0 });
    if (first.plan !== null || first.consumerExists || group.refusal(host) !== null) return first;
    const further = await this.furtherOf(host, spec);
    const second = await this.claimOneOf(host, { spec, group, candidates: further, from: shown.length });
    return { ...second, records: [...first.records, ...second.records] };
  }

  /** The first candidate that still fits as far as this request knows, for alternates; claims nothing. */
  offer(host: HostState): Candidate | null {
    const known = [...this.shownOf(host), ...(this.furtherCandidates.get(host.uuid) ?? [])];
    return known.find((candidate) => this.room.fits(candidate)) ?? null;
  }

  /** Nova considers only the first candidate. */
  private shownOf({ candidates }: HostState): readonly Candidate[] {
    return this.run.env.novaCompat ? candidates.slice(0, 1) : candidates;
  }

  private async claimOneOf(
    host: HostState,
    what: {
      readonly spec: RequestSpec;
      readonly group: GroupView;
      readonly candidates: readonly Candidate[];
      readonly from: number;
    },
  ): Promise<HostClaim> {
    const records: ClaimRecord[] = [];
    for (const [at, candidate] of what.candidates.entries()) {
      const plan = this.planOf(host, candidate, what.spec);
      const tried = this.room.fits(candidate) ? await this.tryPlan(plan, what.spec, what.group) : ROOM_TAKEN;
      records.push({ ...nameOf(host), candidate: what.from + at, ...tried });
      if (tried.outcome === 'consumer_exists') return { plan: null, records, consumerExists: true };
      if (tried.outcome === 'policy') break;
      if (tried.outcome === 'claimed') return { plan, records, consumerExists: false };
    }
    return { plan: null, records, consumerExists: false };
  }

  private async tryPlan(plan: Plan, spec: RequestSpec, group: GroupView): Promise<Tried> {
    if (this.claims === null) return DRY_RUN;
    for (let attempts = 1; ; attempts += 1) {
      const answer = await this.send([this.claimOf(plan, spec)]);
      if (answer === 'claimed') return { outcome: 'claimed', attempts, message: null };
      if (answer.outcome === 'consumer_exists' && (await this.takesHeld(this.claims, spec))) continue;
      if (answer.groupHosts !== undefined) group.found(answer.groupHosts);
      const { outcome, message } = answer;
      if (outcome !== 'conflict' || attempts >= MAX_CLAIM_TRIES) return { outcome, message, attempts };
      await this.ports.env.sleep(Math.floor(this.ports.env.jitter() * attempts * CLAIM_PAUSE_STEP_MS));
    }
  }

  /**
   * Whether to retry the claim in addition to the instance's existing allocations. At most once: these must not change
   * afterwards.
   */
  private async takesHeld(claims: Claims, spec: RequestSpec): Promise<boolean> {
    if (this.run.command.replaces !== undefined || this.isHeldKnown) return false;
    this.isHeldKnown = true;
    const existing = await claims.held(spec.instanceUuid);
    this.mergeRefusal = existing === undefined ? null : whyNotMerged(spec, existing, this.run.env);
    if (this.mergeRefusal === null) this.existing = existing;
    return this.mergeRefusal === null;
  }

  private planOf(state: HostState, candidate: Candidate, spec: RequestSpec): Plan {
    const { packsNumaCells: packing } = this.run.pipeline.options;
    return { state, candidate, placement: placeInstance(state, spec, { mappings: candidate.mappings, packing }) };
  }

  private claimOf({ state, candidate, placement }: Plan, spec: RequestSpec): ClaimRequest {
    const { host, node, uuid, cell } = state;
    const { command, pipeline } = this.run;
    const { replaces, body } = command;
    const { existing } = this;
    const zone = zoneOf(state, pipeline.options.defaultAvailabilityZone);
    const allocations = existing ? mergeWithExisting(existing, candidate.allocations) : candidate.allocations;
    return {
      consumerUuid: spec.instanceUuid,
      allocations,
      mappings: candidate.mappings,
      projectId: spec.projectId,
      userId: spec.userId,
      host: { host, node, uuid, cell },
      zone: body.availability_zone === zone ? zone : null,
      group: this.groupOf(spec),
      placement,
      alternates: this.alternates ?? [],
      record: placementDocuments(spec, this.run),
      ...(replaces !== undefined && { replaces }),
      ...(existing && { existing }),
    };
  }

  private groupOf({ instanceGroup }: RequestSpec): ClaimedGroup | null {
    const { command, found, env } = this.run;
    const isEnforced = !env.novaCompat;
    const registered = found.group?.uuid ?? null;
    if (registered !== null) return { uuid: registered, isEnforced };
    if (command.locksInlineGroup !== true || instanceGroup === null || instanceGroup.uuid === null) return null;
    const { uuid, policy, maxServerPerHost, members } = instanceGroup;
    return { uuid, isEnforced, foreign: { policy, maxServerPerHost, members } };
  }

  /** Requested once per host, by the first instance that needs them; without the candidates already returned. */
  private async furtherOf(host: HostState, spec: RequestSpec): Promise<readonly Candidate[]> {
    const known = this.knownFurtherOf(host);
    if (known !== undefined) return known;
    const knownKeys = new Set(host.candidates.map(keyOf));
    const answered = (await this.found?.search.furtherCandidates(host)) ?? [];
    const unseen = answered.filter((candidate) => !knownKeys.has(keyOf(candidate)));
    const further = this.asJudged(host, spec, unseen);
    this.furtherCandidates.set(host.uuid, further);
    return further;
  }

  /** Undefined: not requested yet. */
  private knownFurtherOf(host: HostState): readonly Candidate[] | undefined {
    if (!this.mayHaveMore(host)) return [];
    return this.furtherCandidates.get(host.uuid);
  }

  /**
   * No filter checked these candidates, so each must fit cells and devices as well as the best candidate that passed
   * the filters.
   */
  private asJudged(host: HostState, spec: RequestSpec, further: readonly Candidate[]): readonly Candidate[] {
    const extentOf = (candidate: Candidate): number => fittedExtent(spec, this.planOf(host, candidate, spec).placement);
    const least = Math.max(0, ...host.candidates.map(extentOf));
    return further.filter((candidate) => extentOf(candidate) >= least);
  }
}

/** How much of the instance fits: 0 nothing, 1 the PCI devices without the NUMA cells, 2 everything. */
function fittedExtent({ numaTopology }: RequestSpec, placement: NumaPciPlacement | null): number {
  if (placement === null) return 0;
  return numaTopology !== null && placement.numa === null ? 1 : 2;
}

const NONE_STOPPED: ReadonlyMap<string, string> = new Map();

const NOTHING_PLANNED: HostClaim = { plan: null, records: [], consumerExists: false };

const nameOf = ({ host, node }: HostState): Pick<ClaimRecord, 'host' | 'node'> => ({ host, node });

const refusedAtOnce = (host: HostState, outcome: ClaimOutcome, message: string): HostClaim => ({
  plan: null,
  records: [{ ...nameOf(host), candidate: 0, outcome, attempts: 0, message }],
  consumerExists: false,
});

/** The identity of a candidate: the same amounts from the same providers. */
function keyOf({ allocations }: Candidate): string {
  const takes = Object.entries(allocations).flatMap(([provider, { resources }]) =>
    Object.entries(resources).map(([resourceClass, amount]) => `${provider} ${resourceClass} ${amount}`),
  );
  return takes.sort().join('\n');
}
