// Decides where instances go: prefilters, resource request, candidates, host states, then a host for each instance,
// claimed. All or nothing: when one instance finds no host, every claim made for the others is released.

import { Inject, Injectable } from '@nestjs/common';
import { SEARCH_LIMITS } from '../config/limits';
import { DomainError, Unavailable } from '../errors/domain-errors';
import { HostClaimer } from './claim/host-claimer';
import { placeBatch } from './claim/place-batch';
import type { BatchResult, Placement } from './claim/place-batch';
import { buildHostState, treesOf } from './host-state/host-state';
import type { HostState } from './host-state/host-state';
import { DecisionRecorder } from './pipeline/explanation';
import type { Decision, Outcome } from './pipeline/decision';
import { EMPTY_CLOUD } from './pipeline/define-prefilter';
import { findNearestMisses } from './pipeline/nearest-misses';
import type { UnknownHost } from './pipeline/preselect';
import { seededRandom } from './pipeline/random';
import { RemainingCapacity } from './pipeline/remaining-capacity';
import { runPrefilters } from './pipeline/run-prefilters';
import { CANDIDATE_SOURCE, CLAIMS, HOST_SOURCE, SCHEDULER_ENVIRONMENT } from './ports';
import type { CandidateAnswer, CandidateSource, Claims, HostSource, SchedulerEnvironment } from './ports';
import type { Candidate } from './request/candidate';
import { queryString } from './request/query-string';
import type { ResourceRequest } from './request/request-group';
import { RequestRefused } from './request/request-refusal';
import { normalizeRequest } from './request/normalize-request';
import type { RequestBody, RequestSpec } from './request/request-spec';
import { buildResourceRequest } from './request/resource-request';
import { SCHEDULER_PIPELINE } from './scheduler.pipeline';
import type { SchedulerPipeline } from './scheduler.pipeline';
import type { SchedulerErrorCode } from './scheduler.errors';

export interface DecideCommand {
  readonly body: RequestBody;
  readonly requestId: string;
  /** Nothing is claimed; the answer is what the real call would answer. */
  readonly dryRun: boolean;
  /** `all` asks every filter about every host. */
  readonly mode: 'first' | 'all';
  /** Also find out why placement did not return the other hosts. */
  readonly isExplained: boolean;
  readonly returnAlternates: boolean;
  /** A fresh one unless given. */
  readonly seed: number | undefined;
}

/** A refusal; the controller decides how it travels. */
export interface SchedulingRefusal {
  readonly status: 400 | 409 | 503;
  readonly code: SchedulerErrorCode;
  readonly outcome: Outcome;
  readonly message: string;
}

/** What came out, with the decision either way. */
export interface Decided {
  readonly decision: Decision;
  readonly placements: readonly Placement[];
  readonly refusal: SchedulingRefusal | null;
}

/** Ends a decision from within. */
class Refused extends Error {
  constructor(readonly refusal: SchedulingRefusal) {
    super(refusal.message);
  }
}

/** A query that placement refuses is a bad request, in placement's own words. */
function refusedByPlacement(error: unknown): unknown {
  if (!(error instanceof DomainError) || error instanceof Unavailable) return error;
  const { message } = error;
  return new Refused({ status: 400, code: 'scheduler.invalid_request', outcome: 'refused', message });
}

const noValidHost = (code: SchedulerErrorCode, reason: string): Refused =>
  new Refused({ status: 409, code, outcome: 'no_valid_host', message: `No valid host was found. ${reason}` });

@Injectable()
export class SchedulerService {
  constructor(
    @Inject(SCHEDULER_PIPELINE) private readonly pipeline: SchedulerPipeline,
    @Inject(CANDIDATE_SOURCE) private readonly candidates: CandidateSource,
    @Inject(HOST_SOURCE) private readonly hosts: HostSource,
    @Inject(CLAIMS) private readonly claims: Claims,
    @Inject(SCHEDULER_ENVIRONMENT) private readonly env: SchedulerEnvironment,
  ) {}

  /** Every outcome is data, except for what is broken: that is thrown, after the claims made were released. */
  async decide(command: DecideCommand): Promise<Decided> {
    const seed = command.seed ?? this.env.newSeed();
    const { requestId } = command;
    const { driver } = this.pipeline.parts;
    const recorder = new DecisionRecorder({ requestId, startedMs: this.env.now(), seed, driver: driver.name });
    let placements: readonly Placement[] = [];
    let refusal: SchedulingRefusal | null = null;
    try {
      placements = await this.place(command, recorder, seed);
    } catch (error) {
      refusal = refusalOf(error);
    }
    const decision = recorder.close({
      outcome: refusal?.outcome ?? 'placed',
      code: refusal?.code ?? null,
      reason: refusal?.message ?? null,
      nowMs: this.env.now(),
    });
    return { decision, placements, refusal };
  }

  private async place(command: DecideCommand, recorder: DecisionRecorder, seed: number): Promise<readonly Placement[]> {
    const spec = this.understand(command.body, recorder);
    const request = this.resourceRequest(spec, recorder);
    const answer = await this.search(command, request, recorder);
    const { states, unknown } = await this.hostStates(answer);
    const claimer = this.claimer(command, { spec, request, answer });
    const { parts, options } = this.pipeline;
    const run = placeBatch({
      spec,
      hosts: states,
      unknown,
      summaries: answer.summaries,
      parts,
      selection: options,
      mode: command.mode,
      random: seededRandom(seed),
      env: { nowMs: this.env.now(), novaCompat: false },
      claimer,
      recorder,
      alternatesWanted: command.returnAlternates ? options.maxAttempts - 1 : 0,
    });
    return this.allOrNothing(run, claimer);
  }

  private understand(body: RequestBody, recorder: DecisionRecorder): RequestSpec {
    const { reads } = this.pipeline.parts;
    const { spec, ignored } = normalizeRequest(body, { newUuid: () => this.env.newUuid(), reads });
    recorder.understood(spec, ignored);
    return spec;
  }

  private resourceRequest(spec: RequestSpec, recorder: DecisionRecorder): ResourceRequest {
    const { added, records, refusal } = runPrefilters(this.pipeline.parts.prefilters, spec, {
      cloud: { ...EMPTY_CLOUD, defaultAvailabilityZone: this.pipeline.options.defaultAvailabilityZone },
      novaCompat: false,
      requiredTraits: () => new Set(),
    });
    recorder.prefiltered(records);
    if (refusal !== null) throw noValidHost('scheduler.no_valid_host', `Scheduling failed: ${refusal.message}`);
    return buildResourceRequest(spec, added, this.pipeline.options).request;
  }

  private async search(
    { isExplained }: DecideCommand,
    request: ResourceRequest,
    recorder: DecisionRecorder,
  ): Promise<CandidateAnswer> {
    const perRoot = this.pipeline.options.candidatesPerHost;
    const answer = await this.candidates.search({ ...request, perRoot, isExplained }).catch((error: unknown) => {
      throw refusedByPlacement(error);
    });
    recorder.searched({
      query: queryString(request),
      microversion: '1.36',
      candidates: answer.requests.length,
      hosts: new Set(answer.requests.map(({ rootUuid }) => rootUuid)).size,
      notConsidered: answer.notConsidered ?? (answer.truncated ? null : 0),
      truncated: answer.truncated,
      rejections: answer.rejections ?? null,
    });
    if (answer.requests.length > 0) return answer;
    recorder.missed(
      await findNearestMisses(request, answer.rejections ?? [], (relaxed) => this.rootsWithCandidates(relaxed)),
    );
    throw noValidHost('scheduler.no_candidates', 'Placement has no allocation candidates for the request.');
  }

  private async rootsWithCandidates(request: ResourceRequest): Promise<ReadonlySet<string>> {
    const { requests } = await this.candidates.search({ ...request, limit: null, perRoot: 1 });
    return new Set(requests.map(({ rootUuid }) => rootUuid));
  }

  /** One state per root that has candidates; roots without a host row are reported, not lost. */
  private async hostStates(
    answer: CandidateAnswer,
  ): Promise<{ readonly states: readonly HostState[]; readonly unknown: readonly UnknownHost[] }> {
    const byRoot = new Map<string, Candidate[]>();
    for (const candidate of answer.requests) {
      const known = byRoot.get(candidate.rootUuid);
      if (known === undefined) byRoot.set(candidate.rootUuid, [candidate]);
      else known.push(candidate);
    }
    const trees = treesOf(answer.summaries);
    const rows = new Map((await this.hosts.load([...byRoot.keys()])).map((row) => [row.uuid, row]));
    const states: HostState[] = [];
    const unknown: UnknownHost[] = [];
    for (const [uuid, candidates] of byRoot) {
      const row = rows.get(uuid);
      if (row === undefined) unknown.push({ uuid, name: answer.summaries[uuid]?.name ?? uuid });
      else states.push(buildHostState(row, trees.get(uuid) ?? [], candidates));
    }
    return { states, unknown };
  }

  private claimer(
    command: DecideCommand,
    found: { readonly spec: RequestSpec; readonly request: ResourceRequest; readonly answer: CandidateAnswer },
  ): HostClaimer {
    const { spec, request, answer } = found;
    return new HostClaimer(command.dryRun ? null : this.claims, this.env, new RemainingCapacity(answer.summaries), {
      projectId: spec.projectId,
      userId: spec.userId,
      // In an answer that was cut, any host may have more than it shows.
      candidatesPerHost: answer.truncated ? 1 : this.pipeline.options.candidatesPerHost,
      furtherCandidates: (host) => this.furtherCandidates(request, host),
    });
  }

  /** More candidates of one host, bounded. `in_tree` of one group confines them all: a candidate is of one tree. */
  private async furtherCandidates(request: ResourceRequest, host: HostState): Promise<readonly Candidate[]> {
    const perRoot = SEARCH_LIMITS.furtherCandidatesPerHost;
    const confined = request.groups.findIndex(({ suffix }) => suffix === '');
    const groups = request.groups.map((group, at) =>
      at === Math.max(0, confined) ? { ...group, inTree: host.uuid } : group,
    );
    const { requests } = await this.candidates.search({ ...request, groups, limit: perRoot, perRoot });
    return requests.filter(({ rootUuid }) => rootUuid === host.uuid);
  }

  /** The placements, or a refusal (or whatever was thrown) after every claim of this request was released. */
  private async allOrNothing(run: Promise<BatchResult>, claimer: HostClaimer): Promise<readonly Placement[]> {
    let result: BatchResult;
    try {
      result = await run;
    } catch (error) {
      await this.release(claimer);
      throw error;
    }
    if (result.kind === 'placed') return result.placements;
    await this.release(claimer);
    if (result.consumerExists) {
      const message = `Instance ${result.instanceUuid} has allocations already.`;
      throw new Refused({ status: 409, code: 'scheduler.generation_conflict', outcome: 'failed', message });
    }
    const code = result.lost ? 'scheduler.claims_lost' : 'scheduler.no_valid_host';
    throw noValidHost(code, 'There are not enough hosts available.');
  }

  private async release({ claimed }: HostClaimer): Promise<void> {
    if (claimed.length > 0) await this.claims.release(claimed);
  }
}

/** What a client may be told of an error; anything else is thrown on. */
function refusalOf(error: unknown): SchedulingRefusal {
  if (error instanceof Refused) return error.refusal;
  if (error instanceof RequestRefused) {
    return { status: 400, code: error.code, outcome: 'refused', message: error.message };
  }
  if (error instanceof Unavailable) {
    return { status: 503, code: 'scheduler.unavailable', outcome: 'failed', message: error.message };
  }
  throw error;
}
