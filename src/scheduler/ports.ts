// What the scheduler needs from the rest of the product, as three small interfaces. The adapters sit on the services
// that the Placement API uses as well; the scheduler has no private path to their tables.

import type { PlacementRejection } from './pipeline/placement-rejection';
import type { Candidate, ProviderSummaries } from './request/candidate';
import type { ResourceRequest } from './request/request-group';

/**
 * A placement query of the scheduler. `limit` bounds the hosts (roots) and `perRoot` the candidates of each host. An
 * engine that can only bound candidates goes breadth-first, so that every host it returns keeps at least one.
 */
export interface CandidateQueryLike extends ResourceRequest {
  readonly perRoot: number;
  /** Also answer why each root has no candidate. Costs a look at every root; the candidates are the same. */
  readonly isExplained?: boolean;
}

/** Candidates in the engine's order, with every provider of the trees they use. */
export interface CandidateAnswer {
  readonly requests: readonly Candidate[];
  readonly summaries: ProviderSummaries;
  /** True when a bound cut the answer: there may be further hosts, and further candidates of those returned. */
  readonly truncated: boolean;
  /** How many matching hosts the bound left out, where the engine knows. */
  readonly notConsidered?: number;
  /** When asked for: every root that is neither returned nor counted as not considered, with its reason. */
  readonly rejections?: readonly PlacementRejection[];
}

/**
 * Finds candidates. A query it refuses is thrown as a domain error whose message names the cause (unknown resource
 * class, unknown trait, contradiction); an unreachable placement as `Unavailable`.
 */
export interface CandidateSource {
  search(query: CandidateQueryLike): Promise<CandidateAnswer>;
}

/** A host aggregate as filters and multipliers read it. */
export interface HostAggregateRow {
  readonly uuid: string;
  readonly name: string;
  readonly metadata: Readonly<Record<string, string>>;
}

/** What is known of one host besides its providers. */
export interface HostRow {
  /** The host's root provider. */
  readonly uuid: string;
  readonly host: string;
  readonly node: string;
  readonly cell?: string | null;
  /** Distinct consumers with an allocation anywhere in the host's tree. */
  readonly instances: readonly string[];
  readonly aggregates?: readonly HostAggregateRow[];
}

/** Loads host rows, in one set. A root without a host is left out of the answer. */
export interface HostSource {
  load(rootUuids: readonly string[]): Promise<readonly HostRow[]>;
}

/** One claim: the allocations of a consumer that must not exist yet. */
export interface ClaimRequest {
  readonly consumerUuid: string;
  readonly allocations: Candidate['allocations'];
  readonly mappings: Candidate['mappings'];
  readonly projectId: string;
  readonly userId: string;
  readonly consumerType: 'INSTANCE';
  readonly consumerGeneration: null;
}

/**
 * Why a claim was not made. `no_capacity`: the candidate no longer fits. `conflict`: somebody wrote at the same time,
 * trying again may help. `consumer_exists`: the consumer has allocations already; no other host can help.
 */
export interface ClaimRefusal {
  readonly outcome: 'no_capacity' | 'conflict' | 'consumer_exists';
  readonly message: string;
}

/** Makes and undoes claims. A refusal is an answer; only what is broken or unreachable is thrown. */
export interface Claims {
  claim(request: ClaimRequest): Promise<'claimed' | ClaimRefusal>;
  /** Removes the allocations of these consumers, all of them claimed by the caller in the same call. */
  release(consumerUuids: readonly string[]): Promise<void>;
}

/** What a decision needs of the outside world besides placement. Injected, so that a decision can be replayed. */
export interface SchedulerEnvironment {
  /** Milliseconds since the epoch. */
  now(): number;
  newUuid(): string;
  /** A fresh seed, an integer in [0, 2^32), for requests that bring none. */
  newSeed(): number;
  /** Uniform in [0, 1), for pauses only: it never touches a decision. */
  jitter(): number;
  sleep(ms: number): Promise<void>;
}

export const CANDIDATE_SOURCE = Symbol('scheduler.CandidateSource');
export const HOST_SOURCE = Symbol('scheduler.HostSource');
export const CLAIMS = Symbol('scheduler.Claims');
export const SCHEDULER_ENVIRONMENT = Symbol('scheduler.Environment');
