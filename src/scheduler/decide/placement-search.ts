// Queries Placement for the candidates of one request, a second time for hosts without pinned CPUs, and finds out what
// was missing if there are none.

import type { Candidate, Rejection } from '../../placement/candidate-search';
import type { ResourceRequest, TreeChange } from '../../placement/candidate-search';
import { conditionsOf } from '../../placement/candidate-search';
import { SEARCH_LIMITS } from '../../platform/config/limits/placement';
import { tasks } from '../../platform/event-loop/task-scheduler';
import { SearchGaveUp, UnknownReference } from '../../platform/values/errors';
import type { HostState } from '../../scheduling-rules/host-state/host-state';
import type { ConditionSummary } from '../../scheduling-rules/pipeline/condition-counts';
import { countConditions } from '../../scheduling-rules/pipeline/condition-counts';
import type { PlacementRecord } from '../../scheduling-rules/pipeline/decision';
import type { DecisionRecorder } from '../../scheduling-rules/pipeline/explanation';
import { findMinimalConflicts } from '../../scheduling-rules/pipeline/minimal-conflicts';
import { findNearestMisses } from '../../scheduling-rules/pipeline/nearest-misses';
import type { Wording } from '../../scheduling-rules/pipeline/wording';
import { PLAIN_WORDING } from '../../scheduling-rules/pipeline/wording';
import { queryString } from '../../scheduling-rules/request/query-string';
import type { CandidateAnswer, CandidateSource, SchedulerCaller, SearchBounds } from '../ports';
import { noHostLeft, refusedByPlacement } from './refused';
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
    private readonly clock: () => number,
    private readonly caller?: SchedulerCaller,
    private readonly wording: () => Wording = () => PLAIN_WORDING,
    private readonly services: ServiceFacts | null = null,
  ) {}

  /** Throws a refusal when there is no candidate, with the reasons in the recorder. */
  async run(plan: SearchPlan): Promise<CandidateAnswer> {
    const { request, perRoot, explains } = plan;
    const first = await this.ask(request, { perRoot, isExplained: explains === 'always' });
    const second = await this.askFallback(plan, first);
    const found = second === null ? first : merged(first, second);
    const isUnexplained = found.requests.length === 0 && explains === 'empty';
    const explained = isUnexplained ? await this.explained(request, found, perRoot) : found;
    const answer = this.withServices(confinedTo(request, explained));
    this.answered = first.requests.length > 0 ? request : (plan.fallback ?? request);
    const record: PlacementRecord = {
      query: queryString(request),
      microversion: '1.36',
      candidates: answer.requests.length,
      hosts: rootsOf(answer).size,
      notConsidered: answer.notConsidered === undefined ? (answer.truncated ? null : 0) : answer.notConsidered,
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
      rejections: answer.rejections ?? null,
      ...(this.candidates.isUnexplained === true && { isUnexplained: true }),
    };
    this.recorder.searched(record);
    if (answer.requests.length > 0) return answer;
    await this.explainEmpty(request, answer);
    throw noHostLeft('scheduler.no_candidates');
  }

  /** Why placement kept back the other hosts, asked once the filters left none of those that it returned. */
  async explainOthers({ request, perRoot, explains }: SearchPlan, found: CandidateAnswer): Promise<void> {
    if (explains !== 'empty') return;
    const { rejections } = this.withServices(confinedTo(request, await this.explained(request, found, perRoot)));
    if (rejections === undefined) return;
    const returned = rootsOf(found);
    this.recorder.alsoRejected(rejections.filter(({ root }) => !returned.has(root.uuid)));
  }

  /** The reasons of every root; a search for them that is given up leaves the answer as it was. */
  private async explained(request: ResourceRequest, found: CandidateAnswer, perRoot: number): Promise<CandidateAnswer> {
    if (this.candidates.isUnexplained === true) return found;
    try {
      return await this.candidates.search(request, { perRoot, isExplained: true }, this.caller);
    } catch (error) {
      if (error instanceof SearchGaveUp) return found;
      throw refusedByPlacement(error);
    }
  }

  /** More candidates of one host, bounded. */
  async furtherCandidates(host: HostState): Promise<readonly Candidate[]> {
    const { answered: request } = this;
    if (request === null) return [];
    const perRoot = SEARCH_LIMITS.furtherCandidatesPerHost;
    const bounds = { perRoot, onlyRoot: host.uuid };
    const { requests } = await this.candidates.search({ ...request, limit: perRoot }, bounds, this.caller);
    return requests.filter(({ rootUuid }) => rootUuid === host.uuid);
  }

  /** Rejections of disabled hosts with the reasons of their services. */
  private withServices(answer: CandidateAnswer): CandidateAnswer {
    const { services } = this;
    if (services === null || answer.rejections === undefined) return answer;
    return { ...answer, rejections: answer.rejections.map((rejection) => services.withReason(rejection)) };
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

  private async explainEmpty(request: ResourceRequest, { rejections = [] }: CandidateAnswer): Promise<void> {
    const fitsWithChanges = (
      asked: ResourceRequest,
      treeChanges: ReadonlyMap<number, TreeChange>,
    ): Promise<ReadonlySet<number>> => this.candidates.fitsWithChanges(asked, treeChanges, this.caller);
    const misses = await findNearestMisses(request, rejections, fitsWithChanges, this.wording());
    const conflicts = await findMinimalConflicts(
      request,
      async (relaxed) => {
        try {
          const { requests } = await this.candidates.search({ ...relaxed, limit: 1 }, { perRoot: 1 }, this.caller);
          return requests.length > 0;
        } catch (error) {
          // Without a condition, Placement can refuse the request; that is not a way to satisfy it.
          if (refusedByPlacement(error) === error && !(error instanceof SearchGaveUp)) throw error;
          return false;
        }
      },
      this.clock,
    );
    this.recorder.missed(misses, conflicts);
    this.recorder.counted(await this.countedConditions(request, rejections));
  }

  /** The rejected hosts under every condition that they fail. */
  private async countedConditions(
    request: ResourceRequest,
    rejections: readonly Rejection[],
  ): Promise<ConditionSummary> {
    const rootIds = rejections.map(({ root }) => root.id);
    const failed = await this.candidates.failedConditions(request, rootIds, this.caller);
    const { services } = this;
    const hosts = {
      conditions: conditionsOf(request),
      rejections,
      failed,
      furtherOf: (root: Rejection['root']) => services?.failuresOf(root) ?? [],
      withFacts: (rejection: Rejection) => services?.withReason(rejection) ?? rejection,
    };
    return tasks.run(countConditions(hosts, this.wording()), this.caller);
  }
}

const rootsOf = ({ requests }: CandidateAnswer): ReadonlySet<string> =>
  new Set(requests.map(({ rootUuid }) => rootUuid));

/**
 * If the request names a tree, all others are rejected for that. The search rejects some of them earlier, for example
 * disabled hosts, and the reason would hide the cause.
 */
function confinedTo({ groups }: ResourceRequest, answer: CandidateAnswer): CandidateAnswer {
  const named = groups.find(({ inTree }) => inTree !== null);
  const { rejections } = answer;
  if (named === undefined || rejections === undefined) return answer;
  const isNamed = ({ root }: Rejection): boolean => root.uuid === named.inTree;
  // A provider below the root can be named as well; then the tree is not known here.
  if (!rejections.some(isNamed) && !rootsOf(answer).has(named.inTree ?? '')) return answer;
  const elsewhere = { group: named.suffix, stage: 'in_tree', code: 'other_tree', params: {} } as const;
  return {
    ...answer,
    rejections: rejections.map((rejection) =>
      isNamed(rejection) ? rejection : { root: rejection.root, ...elsewhere },
    ),
  };
}

/** Candidates of the second query behind those of the first. */
function merged(first: CandidateAnswer, second: CandidateAnswer): CandidateAnswer {
  const returned = rootsOf(second);
  const rejections = first.rejections?.filter(({ root }) => !returned.has(root.uuid));
  const notConsidered = notConsideredByBoth(first, second);
  const hasFurtherOfHosts =
    (first.hasFurtherOfHosts ?? first.truncated) || (second.hasFurtherOfHosts ?? second.truncated);
  return {
    requests: [...first.requests, ...second.requests],
    summaries: new Map([...first.summaries, ...second.summaries]),
    truncated: first.truncated || second.truncated,
    gaveUp: first.gaveUp === true || second.gaveUp === true,
    hasFurtherOfHosts,
    ...(notConsidered !== undefined && { notConsidered }),
    ...(rejections !== undefined && { rejections }),
  };
}

/** With reasons, every root that the first query did not get to and the second did not return; else as far as known. */
function notConsideredByBoth(first: CandidateAnswer, second: CandidateAnswer): CandidateAnswer['notConsidered'] {
  if (first.rejections !== undefined && typeof first.notConsidered === 'number') {
    const reported = new Set([...rootsOf(first), ...first.rejections.map(({ root }) => root.uuid)]);
    return first.notConsidered - [...rootsOf(second)].filter((uuid) => !reported.has(uuid)).length;
  }
  if (first.requests.length === 0) return second.notConsidered;
  return second.truncated ? null : first.notConsidered;
}
