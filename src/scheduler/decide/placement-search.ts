// Queries Placement for the candidates of one request, a second time for hosts without pinned CPUs, and for the reasons why
// other hosts have none.

import type { Candidate, JudgedHost, ResourceRequest } from '../../placement/candidate-search';
import { SEARCH_LIMITS } from '../../platform/config/limits/placement';
import { UnknownReference } from '../../platform/values/errors';
import type { HostState } from '../../scheduling-rules/host-state/host-state';
import type { DecisionRecorder } from '../../scheduling-rules/pipeline/explanation';
import type { RequestSpec } from '../../scheduling-rules/request-spec/request-spec';
import { queryString } from '../../scheduling-rules/request/query-string';
import type { CandidateAnswer, CandidateSource, SchedulerCaller, SearchBounds } from '../ports';
import { refusedByPlacement } from './refused';
import type { ServiceFacts } from './service-facts';

export interface SearchPlan {
  readonly request: ResourceRequest;
  /** The second query, for pinned CPUs on hosts that only have shared ones. */
  readonly fallback: ResourceRequest | null;
  /** The second query is sent even when the first found hosts. */
  readonly isFallbackAlwaysSent: boolean;
  readonly perRoot: number;
  /** When to find out why placement did not return the other hosts; `empty`: when no host is left. */
  readonly explains: 'always' | 'empty';
}

/** A request after the prefilters, and what Placement is asked. */
export interface Asked {
  readonly spec: RequestSpec;
  readonly plan: SearchPlan;
}

/** The reasons in the decision: with `all`, the reason of every root; otherwise only why there was no host. */
export const explainsAt = (level: 'none' | 'summary' | 'first' | 'all'): SearchPlan['explains'] =>
  level === 'all' ? 'always' : 'empty';

/** Hosts beyond the bound of one decision count as well. */
export const withoutLimit = <P extends Pick<SearchPlan, 'request' | 'fallback'>>(plan: P): P => ({
  ...plan,
  request: { ...plan.request, limit: null },
  fallback: plan.fallback && { ...plan.fallback, limit: null },
});

export class PlacementSearch {
  /** The query that found the hosts. */
  private answered: ResourceRequest | null = null;

  constructor(
    private readonly candidates: CandidateSource,
    private readonly recorder: DecisionRecorder,
    private readonly caller?: SchedulerCaller,
    private readonly services: ServiceFacts | null = null,
  ) {}

  /** The answer is empty if no host has a candidate. */
  async run(plan: SearchPlan): Promise<CandidateAnswer> {
    const { request, perRoot, explains } = plan;
    const first = await this.ask(request, { perRoot });
    const second = await this.askFallback(plan, first);
    const answer = second === null ? first : merged(first, second);
    this.answered = first.requests.length > 0 ? request : (plan.fallback ?? request);
    this.recorder.searched({
      query: queryString(request),
      microversion: '1.36',
      candidates: answer.requests.length,
      hosts: rootsOf(answer).size,
      notConsidered: answer.truncated ? null : 0,
      truncated: answer.truncated,
      gaveUp: answer.gaveUp === true,
      fallback:
        second === null || plan.fallback === null
          ? null
          : {
              query: queryString(plan.fallback),
              candidates: second.requests.length,
              hosts: rootsOf(second).size,
            },
      rejections: null,
    });
    if (explains === 'always' && answer.requests.length > 0) await this.judge(plan, answer);
    return answer;
  }

  /** The answer for the kept hosts of a request class. */
  answeredByClass(request: ResourceRequest, found: { readonly hosts: number; readonly candidates: number }): void {
    this.answered = request;
    this.recorder.searched({
      query: queryString(request),
      microversion: '1.36',
      ...found,
      notConsidered: 0,
      truncated: false,
      gaveUp: false,
      fallback: null,
      rejections: null,
    });
  }

  /** Every host with the conditions that it fails; the recorder gets those without a candidate. Empty: no reasons. */
  async judge({ request }: SearchPlan, answer: CandidateAnswer): Promise<readonly JudgedHost[]> {
    const { services } = this;
    if (this.candidates.judgeHosts === undefined) return [];
    const returned = rootsOf(answer);
    const hosts = await this.candidates.judgeHosts(request, this.caller);
    const judged = hosts.map((host) => {
      // The second query found candidates of this host.
      if (returned.has(host.root.uuid)) return { ...host, failures: [], isNear: false };
      return services === null ? host : services.withReasons(host);
    });
    const beyond = hosts.filter(({ root, failures }) => failures.length === 0 && !returned.has(root.uuid)).length;
    this.recorder.judged(
      judged.filter(({ failures }) => failures.length > 0),
      this.answered === request ? beyond : null,
    );
    return judged;
  }

  /** More candidates of one host, bounded. */
  async furtherCandidates(host: HostState): Promise<readonly Candidate[]> {
    const { answered: request } = this;
    if (request === null) return [];
    const perRoot = SEARCH_LIMITS.furtherCandidatesPerHost;
    const bounds = { perRoot, onlyRoots: [host.uuid] };
    const { requests } = await this.candidates.search({ ...request, limit: perRoot }, bounds, this.caller);
    return requests.filter(({ rootUuid }) => rootUuid === host.uuid);
  }

  private ask(request: ResourceRequest, bounds: SearchBounds): Promise<CandidateAnswer> {
    return this.candidates.search(request, bounds, this.caller).catch(async (error: unknown) => {
      throw refusedByPlacement(error instanceof UnknownReference ? await error.withSuggestion() : error);
    });
  }

  private async askFallback(plan: SearchPlan, first: CandidateAnswer): Promise<CandidateAnswer | null> {
    const { fallback, isFallbackAlwaysSent, perRoot } = plan;
    if (fallback === null || (first.requests.length > 0 && !isFallbackAlwaysSent)) return null;
    return this.ask(fallback, { perRoot });
  }
}

const rootsOf = ({ requests }: CandidateAnswer): ReadonlySet<string> =>
  new Set(requests.map(({ rootUuid }) => rootUuid));

/** Candidates of the second query behind those of the first. */
function merged(first: CandidateAnswer, second: CandidateAnswer): CandidateAnswer {
  const hasFurtherOfHosts =
    (first.hasFurtherOfHosts ?? first.truncated) || (second.hasFurtherOfHosts ?? second.truncated);
  return {
    requests: [...first.requests, ...second.requests],
    summaries: new Map([...first.summaries, ...second.summaries]),
    truncated: first.truncated || second.truncated,
    gaveUp: first.gaveUp === true || second.gaveUp === true,
    hasFurtherOfHosts,
  };
}
