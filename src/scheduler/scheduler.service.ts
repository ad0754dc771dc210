// Schedules instances: prefilters, resource request, candidates, host states, then a claimed host for each instance.
// Atomic: if fewer than `min_count` instances find a host, all claims of the request are released.

import { Inject, Injectable, Optional } from '@nestjs/common';
import { SEARCH_LIMITS } from '../platform/config/limits/placement';
import type { WriteTx } from '../platform/database/sql';
import { tasks } from '../platform/event-loop/task-scheduler';
import type { DecisionLog } from '../platform/logging/logger.token';
import { LOGGER } from '../platform/logging/logger.token';
import { tracing } from '../platform/tracing/tracing';
import { seededRandom } from '../platform/values/random';
import type { HostState } from '../scheduling-rules/host-state/host-state';
import type { StatesOfCandidates } from '../scheduling-rules/host-state/states-of-candidates';
import {
  enabledByTrait,
  statesOfCandidates,
  treesOfCandidates,
  withEmptyCandidate,
  withOwnCandidates,
} from '../scheduling-rules/host-state/states-of-candidates';
import { namedCpuPolicy } from '../scheduling-rules/numa/cpu-policy';
import { claimsPciDevices } from '../scheduling-rules/pci/in-placement';
import type { Decision } from '../scheduling-rules/pipeline/decision';
import type { FilterEnvironment } from '../scheduling-rules/pipeline/define-filter';
import { DecisionRecorder } from '../scheduling-rules/pipeline/explanation';
import { CLAIM_PAUSE_STEP_MS, MAX_DECISION_TRIES } from '../scheduling-rules/pipeline/limits';
import { RemainingCapacity } from '../scheduling-rules/pipeline/remaining-capacity';
import { filterTask } from '../scheduling-rules/pipeline/run-filters';
import type { MergedAdditions } from '../scheduling-rules/pipeline/run-prefilters';
import { runPrefilters } from '../scheduling-rules/pipeline/run-prefilters';
import type { HostWeight } from '../scheduling-rules/pipeline/run-weighers';
import type { Wording } from '../scheduling-rules/pipeline/wording';
import type { IgnoredField, RequestSpec } from '../scheduling-rules/request-spec/request-spec';
import { wantedTarget } from '../scheduling-rules/request-spec/target-host';
import {
  buildFallbackRequest,
  buildResourceRequest,
  requiredTraitsOf,
} from '../scheduling-rules/request/resource-request';
import type { SchedulerPipeline } from './assemble/scheduler-pipeline';
import { SCHEDULER_PIPELINE } from './assemble/scheduler-pipeline';
import type { InstanceCount } from './capacity/count-instances';
import { countInstances, NOTHING_FITS } from './capacity/count-instances';
import { HostClaimer } from './claim/host-claimer';
import type { BatchResult, BatchRun } from './claim/place-batch';
import { placeBatch } from './claim/place-batch';
import type { Placement } from './claim/placement';
import { allOrNothing } from './decide/all-or-nothing';
import type { FoundHosts } from './decide/decision-reporter';
import { DecisionReporter } from './decide/decision-reporter';
import { nearestNamesFor } from './decide/nearest-names';
import { placementDocuments } from './decide/placement-documents';
import type { SearchPlan } from './decide/placement-search';
import { countByRoot, PlacementSearch, withoutLimit } from './decide/placement-search';
import type { SchedulingRefusal } from './decide/refused';
import { isClaimLost, nothingToCount, noValidHost, schedulingRefusalOf, withReasons } from './decide/refused';
import { ServiceFacts, stoppedHosts } from './decide/service-facts';
import { DecisionCounters } from './decisions/decision-counters';
import type {
  CandidateAnswer,
  CandidateSource,
  ClaimedHost,
  Claims,
  FoundReferences,
  HostSource,
  ReferenceSource,
  Replacement,
  SchedulerCaller,
  SchedulerEnvironment,
} from './ports';
import { CANDIDATE_SOURCE, CLAIMS, HOST_SOURCE, REFERENCE_SOURCE, SCHEDULER_ENVIRONMENT } from './ports';
import { membersToLocate } from './request/normalize-hints';
import { namesHosts, normalizeRequest, referencesOf } from './request/normalize-request';
import type { SelectDestinationsDto } from './request/request.schema';

export interface DecideCommand {
  readonly body: SelectDestinationsDto;
  readonly requestId: string;
  /** Makes no claims; the answer equals that of the real call. */
  readonly dryRun: boolean;
  /** `all` applies every filter to every host. Default: `first`. */
  readonly mode?: 'first' | 'all';
  /** Whether to explain why Placement did not return the other hosts; costs a check of every root. */
  readonly explains: SearchPlan['explains'];
  /** Default: false. */
  readonly returnAlternates?: boolean;
  /** Default: a new seed. */
  readonly seed?: number | undefined;
  /** For an instance that is placed again: the number of attempts, and the hosts tried. */
  readonly attempts?: number;
  readonly tried?: readonly ClaimedHost[];
  readonly replaces?: Replacement | undefined;
  /** Conditions of the caller's own request that `body` does not contain. */
  readonly alsoIgnored?: readonly IgnoredField[];
  /** An inline server group with a uuid is registered elsewhere: its policy holds when the claims commit. */
  readonly locksInlineGroup?: boolean;
  /**
   * The caller's write for the placed instances, in the transaction that finishes their claims. If this process dies
   * before it, another process undoes the claims.
   */
  readonly conclude?: (tx: WriteTx, placed: readonly string[]) => Promise<void>;
  /** If the caller disconnects, its claims are released if possible. Default: no caller. */
  readonly caller?: SchedulerCaller;
}

/** The result, with the decision in either case. */
export interface Decided {
  readonly decision: Decision;
  readonly placements: readonly Placement[];
  readonly refusal: SchedulingRefusal | null;
}

/** Input of one decision. */
interface Work {
  readonly command: DecideCommand;
  readonly recorder: DecisionRecorder;
  readonly seed: number;
  readonly found: FoundReferences;
  readonly env: FilterEnvironment;
  /** Another try follows if claims are lost. */
  readonly isRepeatable: boolean;
  /** New uuids, of instances that the request only counts for example; the same in every try. */
  readonly uuids: string[];
}

type Begun = Omit<Work, 'found'>;

/** A decision about one instance, and the number of equal instances that fit. */
export interface CountedDecision extends Decided {
  readonly count: InstanceCount;
}

@Injectable()
export class SchedulerService {
  private readonly reporter: DecisionReporter;

  constructor(
    @Inject(SCHEDULER_PIPELINE) private readonly pipeline: SchedulerPipeline,
    @Inject(CANDIDATE_SOURCE) private readonly candidates: CandidateSource,
    @Inject(HOST_SOURCE) private readonly hosts: HostSource,
    @Inject(REFERENCE_SOURCE) private readonly references: ReferenceSource,
    @Inject(CLAIMS) private readonly claims: Claims,
    @Inject(SCHEDULER_ENVIRONMENT) private readonly env: SchedulerEnvironment,
    @Optional() @Inject(LOGGER) log: DecisionLog | null = null,
    @Optional() @Inject(DecisionCounters) private readonly counters: DecisionCounters | null = null,
  ) {
    this.reporter = new DecisionReporter(pipeline, hosts, log);
  }

  /** Returns every outcome as data. Throws only on failures, after it has released the claims. */
  decide(command: DecideCommand): Promise<Decided> {
    return this.recorded(command, (work) => this.place(work));
  }

  /** Decides about one instance without a claim, and counts how many equal instances fit one after another. */
  async count(command: DecideCommand, maxInstances: number): Promise<CountedDecision> {
    let countOn: (ranking: readonly HostWeight[]) => Promise<InstanceCount> = () => Promise.resolve(NOTHING_FITS);
    const { instances: _instances, min_count: _least, ...body } = command.body;
    const one = { ...command, body: { ...body, num_instances: 1 }, dryRun: true, returnAlternates: false };
    const decided = await this.recorded(one, async (work) => {
      const requestSpec = this.understand(work);
      if (requestSpec.checkType === 'rebuild') throw nothingToCount();
      const found = await this.findHosts(work, requestSpec, { isUnlimited: true });
      countOn = (ranking) => this.countOn(work, found, { ranking, maxInstances });
      return this.placeOn(work, found);
    });
    return { ...decided, count: await countOn(decided.decision.passes[0]?.ranking ?? []) };
  }

  /**
   * The uuids of those root providers whose hosts pass every filter for this request, whatever Placement says of them. A
   * host that Placement knows as disabled is judged as if it were enabled.
   */
  async passing(command: DecideCommand, rootUuids: readonly string[]): Promise<ReadonlySet<string>> {
    const work = await this.resolved(this.begin(command));
    const { spec } = this.resourceRequest(work, this.understand(work));
    const hosts = (await this.statesAnywhere(work, rootUuids)).map(enabledByTrait);
    const run = { hosts, spec, filters: this.pipeline.parts.filters, index: 0, mode: 'first', env: work.env } as const;
    return new Set((await tasks.run(filterTask(run), command.caller)).survivors.map(({ uuid }) => uuid));
  }

  /** With `first`, a further try of the same decision. */
  private begin(command: DecideCommand, isRepeatable = false, first?: Begun): Begun {
    const { parts, revision: configRevision, options } = this.pipeline;
    const seed = first?.seed ?? command.seed ?? this.env.newSeed();
    const nowMs = this.env.now();
    const startedMs = first?.env.nowMs ?? nowMs;
    const start = { requestId: command.requestId, startedMs, seed, driver: parts.driver.name, configRevision };
    const watch = tracing.watchOf('filter');
    const env = { nowMs, novaCompat: options.novaCompat, ...(watch && { watch }) };
    return { command, recorder: new DecisionRecorder(start), seed, env, isRepeatable, uuids: first?.uuids ?? [] };
  }

  private async resolved(work: Begun): Promise<Work> {
    const { command } = work;
    const resolved = await this.references.resolve(referencesOf(command.body), placedAnew(command));
    await this.hosts.refresh(namesHosts(command.body));
    const members = membersToLocate(command.body, placedAnew(command));
    const found = members.length === 0 ? resolved : { ...resolved, memberHosts: await this.hosts.hostsOf(members) };
    return { ...work, found };
  }

  /** While claims are lost to other requests, decides again with fresh data. The last try is the decision. */
  private async recorded(
    command: DecideCommand,
    decide: (work: Work) => Promise<readonly Placement[]>,
    { tries, first }: { readonly tries: number; readonly first?: Begun } = { tries: 1 },
  ): Promise<Decided> {
    const work = this.begin(command, tries < MAX_DECISION_TRIES, first);
    let placements: readonly Placement[] = [];
    let refusal: SchedulingRefusal | null = null;
    try {
      placements = await decide(await this.resolved(work));
    } catch (error) {
      if (work.isRepeatable && isClaimLost(error)) {
        await this.env.sleep(Math.floor(this.env.jitter() * tries * CLAIM_PAUSE_STEP_MS));
        return this.recorded(command, decide, { tries: tries + 1, first: first ?? work });
      }
      refusal = schedulingRefusalOf(error);
      const suggestion = await nearestNamesFor(error, this.references, this.hosts);
      refusal = { ...refusal, message: `${refusal.message}${suggestion}` };
    }
    const decision = work.recorder.close({
      outcome: refusal?.outcome ?? 'placed',
      code: refusal?.code ?? null,
      reason: refusal?.message ?? null,
      nowMs: this.env.now(),
      wording: this.reporter.wording(work.recorder),
    });
    const explained = refusal && withReasons(decision.summary.sentence, refusal);
    this.reporter.logDecision(decision, explained, command);
    this.counters?.decided(decision, command.dryRun);
    return { decision, placements, refusal: explained };
  }

  private async place(work: Work): Promise<readonly Placement[]> {
    const requestSpec = this.understand(work);
    if (requestSpec.checkType === 'rebuild') return this.checkRebuild(work, requestSpec);
    return this.placeOn(work, await this.findHosts(work, requestSpec));
  }

  private async findHosts(
    work: Work,
    requestSpec: RequestSpec,
    how: { readonly isUnlimited?: boolean } = {},
  ): Promise<FoundHosts> {
    const { spec, plan } = this.resourceRequest(work, requestSpec);
    const { recorder, command } = work;
    const clock = (): number => this.env.now();
    const wording = (): Wording => this.reporter.wording(recorder);
    const services = new ServiceFacts(this.hosts, this.pipeline.parts.filters, work.env.nowMs);
    const search = new PlacementSearch(this.candidates, recorder, clock, command.caller, wording, services);
    const asking = how.isUnlimited === true ? withoutLimit(plan) : plan;
    const answer = await search.run(asking);
    return { spec, search, plan: asking, answer, ...(await this.hostStates(work, answer)) };
  }

  private placeOn(work: Work, found: FoundHosts): Promise<readonly Placement[]> {
    const { spec, search, answer, states, unknown } = found;
    const claimer = this.claimer(work, answer, search);
    const batch = { ...this.batch(work, spec, claimer), hosts: states, unknown, summaries: answer.summaries };
    const run = async (): Promise<BatchResult> => {
      // The caller's write is a further transaction after the claims.
      if (work.command.conclude !== undefined) await claimer.takesSeveral();
      return placeBatch(batch);
    };
    return allOrNothing(run(), { ...work, claimer }, () =>
      this.reporter.explainRefusal(work, found, work.command.caller),
    );
  }

  private countOn(
    work: Work,
    { spec, search, answer }: FoundHosts,
    rankedHosts: { readonly ranking: readonly HostWeight[]; readonly maxInstances: number },
  ): Promise<InstanceCount> {
    const { candidatesPerHost } = this.pipeline.options;
    return countInstances({
      ...rankedHosts,
      batch: () => ({ ...this.batch(work, spec, this.claimer(work, answer, search)), summaries: answer.summaries }),
      mayHaveFurther: ({ candidates }) =>
        !work.env.novaCompat && (answer.hasFurtherOfHosts === true || candidates.length >= candidatesPerHost),
      env: this.env,
    });
  }

  private understand({ command, recorder, found, env, uuids }: Work): RequestSpec {
    const { parts, options } = this.pipeline;
    let counted = 0;
    const { spec, ignored } = normalizeRequest(command.body, {
      newUuid: () => (uuids[counted++] ??= this.env.newUuid()),
      reads: parts.reads,
      resolved: found,
      defaultScheduleZone: options.defaultScheduleZone,
      pciAliases: options.pciAliases,
      pciInPlacement: options.pciInPlacement,
      novaCompat: env.novaCompat,
      enabledParts: parts.names,
    });
    recorder.understood(spec, [...ignored, ...(command.alsoIgnored ?? [])]);
    return spec;
  }

  private prefiltered({ recorder, env }: Work, spec: RequestSpec): MergedAdditions {
    const { novaCompat } = env;
    const { computeRelease } = this.pipeline.options;
    let traits: ReadonlySet<string> | undefined;
    const { added, records, refusal } = runPrefilters(this.pipeline.parts.prefilters, spec, {
      cloud: this.hosts.cloud(),
      novaCompat,
      requiredTraits: () => (traits ??= requiredTraitsOf(spec, { novaCompat, computeRelease })),
    });
    recorder.prefiltered(records);
    if (refusal !== null) throw noValidHost('scheduler.no_valid_host', `Scheduling failed: ${refusal.message}`);
    return added;
  }

  private resourceRequest(
    work: Work,
    requestSpec: RequestSpec,
  ): { readonly spec: RequestSpec; readonly plan: SearchPlan } {
    const added = this.prefiltered(work, requestSpec);
    const { options } = this.pipeline;
    const { novaCompat } = work.env;
    const target = wantedTarget(requestSpec);
    const targets = target === null ? null : this.hosts.targets(target);
    const { maxPlacementResults, computeRelease } = options;
    const given = { maxPlacementResults, novaCompat, computeRelease, targets };
    const { request, ignored, destination } = buildResourceRequest(requestSpec, added, given);
    work.recorder.alsoIgnored(ignored);
    const isPinned = namedCpuPolicy(requestSpec.flavor, requestSpec.image) === 'dedicated';
    const hasFallback = isPinned && !options.disableFallbackPcpuQuery;
    const plan: SearchPlan = {
      request,
      fallback: hasFallback ? buildFallbackRequest(requestSpec, added, given) : null,
      isFallbackAlwaysSent: novaCompat,
      perRoot: this.candidatesPerHost(requestSpec, novaCompat),
      explains: work.command.explains,
    };
    return { spec: { ...requestSpec, requestedDestination: destination }, plan };
  }

  private candidatesPerHost(spec: RequestSpec, novaCompat: boolean): number {
    const perHost = novaCompat ? 1 : this.pipeline.options.candidatesPerHost;
    return claimsPciDevices(spec) ? Math.max(perHost, SEARCH_LIMITS.candidatesPerHostWithDevices) : perHost;
  }

  /** One state per root with candidates; roots that are not hosts are returned separately. */
  private async hostStates(
    { env, command: { caller } }: Work,
    { requests, summaries }: CandidateAnswer,
  ): Promise<StatesOfCandidates> {
    const trees = treesOfCandidates(requests, summaries);
    const known = await this.hosts.states(trees, { ...env, caller });
    const { states, unknown } = statesOfCandidates({ requests, summaries }, known);
    return { states: env.novaCompat ? states.map(withOwnCandidates) : states, unknown };
  }

  /** Applies the rebuild filters to the forced hosts, without a query to Placement and without claims. */
  private async checkRebuild(work: Work, spec: RequestSpec): Promise<readonly Placement[]> {
    const targets = this.hosts.targets(wantedTarget(spec) ?? { host: null, node: null }).map(({ uuid }) => uuid);
    const hosts = await this.statesAnywhere(work, targets);
    const claimer = new HostClaimer(null, this.env, new RemainingCapacity(new Map()), this.claiming(work, {}));
    const batch = { ...this.batch(work, spec, claimer), alternatesWanted: 0 };
    const run = placeBatch({ ...batch, hosts, unknown: [], summaries: new Map() });
    return allOrNothing(run, { ...work, claimer });
  }

  /** Hosts that Placement was not asked about, each with a candidate that takes nothing. */
  private async statesAnywhere(
    { env, command: { caller } }: Work,
    rootUuids: readonly string[],
  ): Promise<readonly HostState[]> {
    const found = await this.hosts.states(new Map(rootUuids.map((uuid) => [uuid, []])), { ...env, caller });
    return [...found.values()].map(withEmptyCandidate);
  }

  private batch(
    { command, recorder, seed, env, isRepeatable }: Work,
    spec: RequestSpec,
    claimer: HostClaimer,
  ): Omit<BatchRun, 'hosts' | 'unknown' | 'summaries'> {
    const { parts, options } = this.pipeline;
    const { driver, filters, weighers } = parts;
    const { values } = options;
    return {
      spec,
      claimer,
      recorder,
      ranking: { driver, filters, weighers, selection: options, values, random: seededRandom(seed), env },
      mode: command.mode ?? 'first',
      caller: command.caller,
      isRepeatable,
      alternatesWanted: command.returnAlternates ? options.maxAttempts - 1 : 0,
    };
  }

  private claimer(work: Work, answer: CandidateAnswer, search: PlacementSearch): HostClaimer {
    const shown = countByRoot(answer.requests);
    const bound = this.pipeline.options.candidatesPerHost;
    const isCut = answer.hasFurtherOfHosts ?? answer.truncated;
    const claiming = this.claiming(work, {
      // In a truncated answer, any host can have further candidates.
      mayHaveMore: ({ uuid }) => isCut || (shown.get(uuid) ?? 0) >= bound,
      furtherCandidates: (host) => search.furtherCandidates(host),
    });
    const claims = work.command.dryRun ? null : this.claims;
    return new HostClaimer(claims, this.env, new RemainingCapacity(answer.summaries), claiming);
  }

  private claiming(
    { command, found, env }: Work,
    given: Partial<ConstructorParameters<typeof HostClaimer>[3]>,
  ): ConstructorParameters<typeof HostClaimer>[3] {
    const { requestId, body, attempts = 1, tried = [], replaces, locksInlineGroup = false } = command;
    const named = replaces && {
      ...found,
      flavorId: found.flavorId ?? replaces.flavorId,
      imageUuid: found.imageUuid ?? replaces.imageUuid,
    };
    return {
      requestId,
      mayHaveMore: () => false,
      furtherCandidates: () => Promise.resolve([]),
      recordOf: (spec) => placementDocuments(spec, { requestId, body, found: named ?? found, attempts, tried }),
      replaces,
      registeredGroup: found.group?.uuid ?? null,
      locksInlineGroup,
      novaCompat: env.novaCompat,
      packing: this.pipeline.options.packsNumaCells,
      stoppedOf: (hosts, spec) =>
        stoppedHosts(hosts, spec, {
          source: this.hosts,
          filters: this.pipeline.parts.filters,
          env: { ...env, nowMs: this.env.now() },
        }),
      ...given,
    };
  }
}

/** The instance that the request places again; its current placement does not count against it. */
const placedAnew = ({ replaces, body: { instances = [] } }: DecideCommand): string | undefined =>
  replaces?.before.uuid ?? (instances.length === 1 ? instances[0] : undefined);
