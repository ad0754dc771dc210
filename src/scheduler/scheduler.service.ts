// Schedules instances: prefilters, resource request, candidates, host states, then a claimed host for each instance.
// Atomic: if fewer than `min_count` instances find a host, all claims of the request are released.

import { Inject, Injectable, Optional } from '@nestjs/common';
import { SEARCH_LIMITS } from '../platform/config/limits/placement';
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
import { claimsPciDevices } from '../scheduling-rules/pci/in-placement';
import { DecisionRecorder } from '../scheduling-rules/pipeline/explanation';
import { CLAIM_PAUSE_STEP_MS, MAX_DECISION_TRIES } from '../scheduling-rules/pipeline/limits';
import { filterTask } from '../scheduling-rules/pipeline/run-filters';
import type { RequestSpec } from '../scheduling-rules/request-spec/request-spec';
import { wantedTarget } from '../scheduling-rules/request-spec/target-host';
import { SchedulerPipeline } from './assemble/scheduler-pipeline';
import type { InstanceCount } from './capacity/count-instances';
import { countInstances, NOTHING_FITS } from './capacity/count-instances';
import type { BatchPass } from './claim/batch-pass';
import { runPass } from './claim/batch-pass';
import { BatchProgress } from './claim/batch-progress';
import { HostClaimer } from './claim/host-claimer';
import type { Placement } from './claim/placement';
import { allOrNothing } from './decide/all-or-nothing';
import { DecisionReporter } from './decide/decision-reporter';
import type { DecideCommand, Decided, DecisionRun, FoundHosts } from './decide/decision-run';
import { nearestNamesFor } from './decide/nearest-names';
import type { Asked } from './decide/placement-search';
import { PlacementSearch, withoutLimit } from './decide/placement-search';
import type { SchedulingRefusal } from './decide/refused';
import {
  isClaimLost,
  noHostLeft,
  nothingToCount,
  noValidHost,
  schedulingRefusalOf,
  withReasons,
} from './decide/refused';
import { ServiceFacts } from './decide/service-facts';
import { prefilter, translate, understand } from './decide/translate-request';
import { DecisionCounters } from './decisions/decision-counters';
import type {
  CandidateAnswer,
  CandidateSource,
  Claims,
  FoundReferences,
  HostSource,
  ReferenceSource,
  SchedulerEnvironment,
} from './ports';
import { CANDIDATE_SOURCE, CLAIMS, HOST_SOURCE, REFERENCE_SOURCE, SCHEDULER_ENVIRONMENT } from './ports';
import { AskedFromNothing } from './request-classes/class-view';
import { RequestClasses } from './request-classes/request-classes';
import { membersToLocate } from './request/normalize-hints';
import { namesHosts, NOTHING_RESOLVED, referencesOf } from './request/normalize-request';

const NOTHING_FOUND: FoundReferences = { ...NOTHING_RESOLVED, flavorId: null, imageUuid: null };

/** A decision about one instance, and the number of equal instances that fit. */
export interface CountedDecision extends Decided {
  readonly count: InstanceCount;
}

@Injectable()
export class SchedulerService {
  readonly classes: RequestClasses;
  private readonly reporter: DecisionReporter;

  constructor(
    private readonly pipeline: SchedulerPipeline,
    @Inject(CANDIDATE_SOURCE) private readonly candidates: CandidateSource,
    @Inject(HOST_SOURCE) readonly hosts: HostSource,
    @Inject(REFERENCE_SOURCE) private readonly references: ReferenceSource,
    /** Null: all decisions are dry runs. */
    @Inject(CLAIMS) readonly claims: Claims | null,
    @Inject(SCHEDULER_ENVIRONMENT) readonly env: SchedulerEnvironment,
    @Optional() @Inject(LOGGER) log: DecisionLog | null = null,
    @Optional() @Inject(DecisionCounters) private readonly counters: DecisionCounters | null = null,
  ) {
    this.reporter = new DecisionReporter(pipeline, hosts, log);
    this.classes = new RequestClasses(pipeline, { candidates, hosts, log });
  }

  /** Returns every outcome as data. Throws only on failures, after it has released the claims. */
  async decide(command: DecideCommand): Promise<Decided> {
    const { result, ...decided } = await this.recorded(command, (run) => this.place(run), {
      tries: 1,
      usesClasses: true,
    });
    return { ...decided, placements: result ?? [] };
  }

  /** Decides about one instance without a claim, and counts how many equal instances fit one after another. */
  async count(command: DecideCommand, maxInstances: number): Promise<CountedDecision> {
    const { instances: _instances, min_count: _least, ...body } = command.body;
    const one = { ...command, body: { ...body, num_instances: 1 }, dryRun: true, returnAlternates: false };
    const { result, ...decided } = await this.recorded(one, async (run) => {
      const spec = this.understand(run);
      if (spec.checkType === 'rebuild') throw nothingToCount();
      const asked = this.searchPlan(run, spec);
      const found = await this.findHosts(run, { ...asked, plan: withoutLimit(asked.plan) });
      return { run, found, placements: await this.placeOn(run, found) };
    });
    if (result === null) return { ...decided, placements: [], count: NOTHING_FITS };
    const { run, found, placements } = result;
    const ranking = decided.decision.passes[0]?.ranking ?? [];
    const newClaimer = (counting: DecisionRun): HostClaimer => new HostClaimer(counting, found, this);
    const count = await countInstances({ run, found, ranking, maxInstances, newClaimer, env: this.env });
    return { ...decided, placements, count };
  }

  /**
   * The uuids of those root providers whose hosts pass every filter for this request, whatever Placement says of them. A
   * host that Placement knows as disabled is judged as if it were enabled.
   */
  async passing(command: DecideCommand, rootUuids: readonly string[]): Promise<ReadonlySet<string>> {
    const run = await this.resolved(this.begin(command));
    const { spec } = this.searchPlan(run, this.understand(run));
    const hosts = (await this.statesAnywhere(run, rootUuids)).map(enabledByTrait);
    const { filters } = this.pipeline.parts;
    const task = filterTask({ hosts, spec, filters, index: 0, mode: 'first', env: run.env });
    return new Set((await tasks.run(task, command.caller)).survivors.map(({ uuid }) => uuid));
  }

  /** With `first`, a further try of the same decision. */
  private begin(command: DecideCommand, isRepeatable = false, first?: DecisionRun): DecisionRun {
    const { pipeline } = this;
    const seed = first?.seed ?? command.seed ?? this.env.newSeed();
    const nowMs = this.env.now();
    const recorder = new DecisionRecorder({
      requestId: command.requestId,
      startedMs: first?.env.nowMs ?? nowMs,
      seed,
      driver: pipeline.parts.driver.name,
      configRevision: pipeline.revision,
    });
    const watch = tracing.watchOf('filter');
    const env = { nowMs, novaCompat: pipeline.options.novaCompat, ...(watch && { watch }) };
    const uuids = first?.uuids ?? [];
    return { command, pipeline, recorder, seed, env, isRepeatable, usesClasses: false, uuids, found: NOTHING_FOUND };
  }

  private async resolved(run: DecisionRun): Promise<DecisionRun> {
    const { command } = run;
    const resolved = await this.references.resolve(referencesOf(command.body), placedAnew(command));
    await this.hosts.refresh(namesHosts(command.body));
    const members = membersToLocate(command.body, placedAnew(command));
    const found = members.length === 0 ? resolved : { ...resolved, memberHosts: await this.hosts.hostsOf(members) };
    return { ...run, found };
  }

  /**
   * While claims are lost to other requests, decides again with fresh data. The last try is the decision. The result is
   * null if it ended with a refusal.
   */
  private async recorded<T>(
    command: DecideCommand,
    decide: (run: DecisionRun) => Promise<T>,
    {
      tries,
      first,
      usesClasses = false,
    }: { readonly tries: number; readonly first?: DecisionRun; readonly usesClasses?: boolean } = { tries: 1 },
  ): Promise<Pick<Decided, 'decision' | 'refusal'> & { readonly result: T | null }> {
    // The last try asks every host.
    const isRepeatable = tries < MAX_DECISION_TRIES;
    const run = { ...this.begin(command, isRepeatable, first), usesClasses: usesClasses && isRepeatable };
    let result: T | null = null;
    let refusal: SchedulingRefusal | null = null;
    try {
      result = await decide(await this.resolved(run));
    } catch (error) {
      if (error instanceof AskedFromNothing) return this.recorded(command, decide, { tries, first: first ?? run });
      if (run.isRepeatable && isClaimLost(error)) {
        await this.env.sleep(Math.floor(this.env.jitter() * tries * CLAIM_PAUSE_STEP_MS));
        return this.recorded(command, decide, { tries: tries + 1, first: first ?? run, usesClasses });
      }
      refusal = schedulingRefusalOf(error);
      const suggestion = await nearestNamesFor(error, this.references, this.hosts);
      refusal = { ...refusal, message: `${refusal.message}${suggestion}` };
    }
    const decision = run.recorder.close({
      outcome: refusal?.outcome ?? 'placed',
      code: refusal?.code ?? null,
      reason: refusal?.message ?? null,
      nowMs: this.env.now(),
      wording: this.reporter.wording(run.recorder),
    });
    const explained = refusal && withReasons(decision.summary.sentence, refusal);
    this.reporter.logDecision(decision, explained, command);
    this.counters?.decided(decision, command.dryRun);
    return { decision, refusal: explained, result };
  }

  private async place(run: DecisionRun): Promise<readonly Placement[]> {
    const spec = this.understand(run);
    if (spec.checkType === 'rebuild') return this.checkRebuild(run, spec);
    const asked = this.searchPlan(run, spec);
    return (
      (run.usesClasses ? await this.placeByClass(run, asked) : null) ??
      this.placeOn(run, await this.findHosts(run, asked))
    );
  }

  /** Null: the hosts have to be asked anew. Throws AskedFromNothing where nothing fits. */
  private async placeByClass(run: DecisionRun, { spec, plan }: Asked): Promise<readonly Placement[] | null> {
    const view = await this.classes.viewFor(run, { spec, plan }, () => this.passAnew(run, { spec, plan }));
    if (view === null) return null;
    const search = new PlacementSearch(this.candidates, run.recorder, run.command.caller);
    search.answeredByClass(plan.request, view.found);
    // The candidates have their providers with them.
    const summaries = new Map();
    const answer = { requests: [], summaries, truncated: false };
    const claimer = new HostClaimer(run, { answer, search }, this);
    return allOrNothing({ claimer, spec, hosts: [], unknown: [], summaries, view }, () => {
      throw new AskedFromNothing();
    });
  }

  /** The first pass, by asking every host. */
  private async passAnew(run: DecisionRun, asked: Asked): Promise<BatchPass> {
    const { env, found, seed, command } = run;
    const second = { ...this.begin({ ...command, dryRun: true }, true, run), env, found };
    const { states: hosts, unknown } = await this.findHosts(second, asked);
    const progress = new BatchProgress({ hosts, spec: asked.spec, unknown }, seededRandom(seed));
    return tasks.run(runPass(second, progress, 0), command.caller);
  }

  private async findHosts(run: DecisionRun, { spec, plan }: Asked): Promise<FoundHosts> {
    const services = new ServiceFacts(this.hosts, run.env.nowMs);
    const search = new PlacementSearch(this.candidates, run.recorder, run.command.caller, services);
    const answer = await search.run(plan);
    const found = { spec, search, plan, answer, ...(await this.hostStates(run, answer)) };
    if (answer.requests.length > 0) return found;
    await this.explainRefusal(run, found);
    throw noHostLeft('scheduler.no_candidates');
  }

  /** Nothing is known if Placement returned no host and gives no reasons. */
  private async explainRefusal(run: DecisionRun, found: FoundHosts, isClaimLost = false): Promise<void> {
    const judged = await found.search.judge(found.plan, found.answer);
    if (judged.length === 0 && this.candidates.judgeHosts === undefined && found.states.length === 0) return;
    await this.reporter.explainRefusal(run, { ...found, judged, isClaimLost, statesOf: this.statesOf(run) });
  }

  /** A host that Placement knows as disabled fails that condition; the filters judge the rest. */
  private statesOf(run: DecisionRun): (rootUuids: readonly string[]) => Promise<readonly HostState[]> {
    return async (rootUuids) => (await this.statesAnywhere(run, rootUuids)).map(enabledByTrait);
  }

  private placeOn(run: DecisionRun, found: FoundHosts): Promise<readonly Placement[]> {
    const claimer = new HostClaimer(run, found, this);
    const { spec, states: hosts, unknown, answer } = found;
    const batch = { claimer, spec, hosts, unknown, summaries: answer.summaries };
    return allOrNothing(batch, (isLost) => this.explainRefusal(run, found, isLost));
  }

  private understand({ command, recorder, found, uuids }: DecisionRun): RequestSpec {
    let counted = 0;
    const newUuid = (): string => (uuids[counted++] ??= this.env.newUuid());
    const { spec, ignored } = understand(command.body, this.pipeline, { resolved: found, newUuid });
    recorder.understood(spec, [...ignored, ...(command.alsoIgnored ?? [])]);
    return spec;
  }

  private searchPlan({ command, recorder }: DecisionRun, requestSpec: RequestSpec): Asked {
    const { pipeline, hosts } = this;
    const { novaCompat, candidatesPerHost } = pipeline.options;
    const { added, records, refusal } = prefilter(requestSpec, pipeline, { hosts });
    recorder.prefiltered(records);
    if (refusal !== null) throw noValidHost('scheduler.no_valid_host', `Scheduling failed: ${refusal.message}`);
    const { request, fallback, ignored, destination } = translate(requestSpec, pipeline, { added, hosts });
    recorder.alsoIgnored(ignored);
    const perHost = novaCompat ? 1 : candidatesPerHost;
    const perRoot = claimsPciDevices(requestSpec)
      ? Math.max(perHost, SEARCH_LIMITS.candidatesPerHostWithDevices)
      : perHost;
    const plan = { request, fallback, isFallbackAlwaysSent: novaCompat, perRoot, explains: command.explains };
    return { spec: { ...requestSpec, requestedDestination: destination }, plan };
  }

  /** One state per root with candidates; roots that are not hosts are returned separately. */
  private async hostStates(
    { env, command: { caller } }: DecisionRun,
    { requests, summaries }: CandidateAnswer,
  ): Promise<StatesOfCandidates> {
    const trees = treesOfCandidates(requests, summaries);
    const known = await this.hosts.states(trees, { ...env, caller });
    const { states, unknown } = statesOfCandidates({ requests, summaries }, known);
    return { states: env.novaCompat ? states.map(withOwnCandidates) : states, unknown };
  }

  /** Applies the rebuild filters to the forced hosts, without a query to Placement and without claims. */
  private async checkRebuild(run: DecisionRun, spec: RequestSpec): Promise<readonly Placement[]> {
    const targets = this.hosts.targets(wantedTarget(spec) ?? { host: null, node: null }).map(({ uuid }) => uuid);
    const hosts = await this.statesAnywhere(run, targets);
    const command = { ...run.command, dryRun: true, returnAlternates: false };
    const claimer = new HostClaimer({ ...run, command }, null, this);
    const asked = { spec, unknown: [] };
    return allOrNothing({ ...asked, claimer, hosts, summaries: new Map() }, (isLost) =>
      this.reporter.explainRefusal(run, {
        ...asked,
        states: hosts,
        judged: [],
        isClaimLost: isLost,
        statesOf: this.statesOf(run),
      }),
    );
  }

  /** Hosts that Placement was not asked about, each with a candidate that takes nothing. */
  private async statesAnywhere(
    { env, command: { caller } }: DecisionRun,
    rootUuids: readonly string[],
  ): Promise<readonly HostState[]> {
    const found = await this.hosts.states(new Map(rootUuids.map((uuid) => [uuid, []])), { ...env, caller });
    return [...found.values()].map(withEmptyCandidate);
  }
}

/** The instance that the request places again; its current placement does not count against it. */
const placedAnew = ({ replaces, body: { instances = [] } }: DecideCommand): string | undefined =>
  replaces?.before.uuid ?? (instances.length === 1 ? instances[0] : undefined);
