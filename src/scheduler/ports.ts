// The ports of the scheduler to the rest of the product. The adapters use the services behind the Placement API; the
// scheduler has no private path to their tables.

import type { WriteTx } from '../platform/database/sql';
import type { LogContext } from '../platform/logging/log-context';
import type { Caller } from '../platform/event-loop/caller';
import type { DirectoryEntry } from '../scheduling-rules/host-state/host-directory';
import type { HostAggregate, HostService, HostState } from '../scheduling-rules/host-state/host-state';
import type { NumaPciPlacement } from '../scheduling-rules/host-state/charge-instance';
import type { PrefilterCloud } from '../scheduling-rules/pipeline/define-prefilter';
import type { InstanceRecord } from '../compute/instances/instance.entity';
import type { Candidate, FailedCondition, TreeChange, Provider, Rejection } from '../placement/candidate-search';
import type { ProviderSummaries } from '../scheduling-rules/host-state/host-state';
import type { ResourceRequest } from '../placement/candidate-search';
import type { NamedKind } from '../scheduling-rules/request-spec/request-refusal';
import type { References, ResolvedReferences } from './request/normalize-request';
import type { TargetNode, WantedTarget } from '../scheduling-rules/request-spec/target-host';

/** The caller: named in the log. Work for a disconnected caller is cancelled. */
export type SchedulerCaller = LogContext & Caller;

/** The `limit` of the request bounds the hosts (roots), and `perRoot` the candidates of each host. */
export interface SearchBounds {
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
  /** The search reached its work limit: hosts that fit may be missing. */
  readonly gaveUp?: boolean;
  /** A host may have further candidates although it shows fewer than `perRoot`; absent: as `truncated`. */
  readonly hasFurtherOfHosts?: boolean;
  /** How many matching hosts the bound left out; null where the engine did not count them. */
  readonly notConsidered?: number | null;
  /** When asked for: every root that is neither returned nor counted as not considered, with its reason. */
  readonly rejections?: readonly Rejection[];
}

/**
 * Finds candidates. A query it refuses is thrown as a domain error whose message names the cause (unknown resource
 * class, unknown trait, contradiction); an unreachable placement as `Unavailable`.
 */
export interface CandidateSource {
  search(request: ResourceRequest, bounds: SearchBounds, caller?: SchedulerCaller): Promise<CandidateAnswer>;
  /** Of these roots, by id, those that would have a candidate after its own change alone. */
  fitsWithChanges(
    request: ResourceRequest,
    treeChanges: ReadonlyMap<number, TreeChange>,
    caller?: SchedulerCaller,
  ): Promise<ReadonlySet<number>>;
  /** By root id, the conditions of the request that each of these roots fails, by their position in `conditionsOf`. */
  failedConditions(
    request: ResourceRequest,
    rootIds: readonly number[],
    caller?: SchedulerCaller,
  ): Promise<ReadonlyMap<number, readonly FailedCondition[]>>;
}

/**
 * Facts about hosts in addition to their providers. Everything but `refresh`, `hostsOf` and `states` answers from what the last
 * `refresh` found, at once.
 */
export interface HostSource {
  /** From here on, answers show every write that was acknowledged before. */
  refresh(): Promise<void>;
  cloud(): PrefilterCloud;
  /** The nodes that match; host or node null matches all of them. */
  targets(wanted: WantedTarget): readonly TargetNode[];
  /** Names of the hosts on which these instances have allocations, as they are now; ascending. */
  hostsOf(instances: readonly string[]): Promise<ReadonlySet<string>>;
  /** The compute service of this root provider; null: it has none. */
  serviceOf(root: Pick<Provider, 'uuid' | 'name'>): HostService | null;
  /**
   * States of the hosts of these trees, by root uuid, without candidates. A root that is no host is left out. A tree
   * can be empty if placement was not queried; then the tree of the last `refresh` is used.
   */
  states(
    trees: ReadonlyMap<string, readonly Provider[]>,
    at: { readonly nowMs: number; readonly novaCompat: boolean; readonly caller?: Caller | undefined },
  ): Promise<ReadonlyMap<string, HostState>>;
}

/** A node with its last report, as of this process's last refresh. */
export interface ReportedNode {
  readonly host: string;
  readonly node: string;
  readonly stats: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch; null: never. */
  readonly lastSeenUpMs: number | null;
}

/** The registries' data and the last report of a root provider, as of this process's last refresh. */
export interface KnownHost {
  /** Null: no report exists. */
  readonly reported: DirectoryEntry | null;
  /** Of the host with the name of an unreported root, where there is one; such a service may never have reported. */
  readonly service: HostService | null;
  /** The array is the same object for hosts in the same aggregates. */
  readonly aggregates: readonly HostAggregate[];
}

/** From memory, and nothing else is asked for it: as fresh as the provider graph that was answered last. */
export interface ReportedHosts {
  reported(): readonly ReportedNode[];
  /** Of any root provider, whether or not it counts as a host. */
  known(root: Pick<Provider, 'uuid' | 'name'>): KnownHost;
  /** The root providers of a service's nodes; undefined: there is no such service. */
  nodesOf(serviceId: number): readonly string[] | undefined;
  /** The service of each root provider with a report. */
  reportedServices(): Iterable<readonly [rootUuid: string, service: HostService]>;
  hostAggregates(): readonly HostAggregate[];
}

/** The registry objects that a request names, with their ids. */
export interface FoundReferences extends ResolvedReferences {
  readonly flavorId: string | null;
  readonly imageUuid: string | null;
}

/** Resolves the names in a request; unknown names are null. Throws RequestRefused for an ambiguous name. */
export interface ReferenceSource {
  /** A group is answered as if the instance `excludedInstance` were not placed. */
  resolve(references: References, excludedInstance?: string): Promise<FoundReferences>;
  /** The first names of this kind, for suggestions. */
  namesOf(kind: Exclude<NamedKind, 'zone'>): Promise<readonly string[]>;
}

/** Where an instance goes. */
export interface ClaimedHost {
  readonly host: string;
  readonly node: string;
  readonly uuid: string;
  readonly cell: string | null;
}

/** One claim: all allocations of a consumer, a new one unless it says more, and what to remember of the placement. */
export interface ClaimRequest {
  readonly consumerUuid: string;
  readonly allocations: Candidate['allocations'];
  readonly mappings: Candidate['mappings'];
  readonly projectId: string;
  readonly userId: string;
  readonly host: ClaimedHost;
  /** The registered server group the instance joins. `isEnforced`: its policy must hold when the claim commits. */
  readonly group: { readonly uuid: string; readonly isEnforced: boolean } | null;
  readonly placement: NumaPciPlacement | null;
  readonly record: PlacementDocuments;
  /** The instance is placed already, and this takes the place of what it has. */
  readonly replaces?: Replacement | undefined;
  /** The instance has allocations, and keeps them: they are among `allocations`. */
  readonly existing?: HeldInstance | undefined;
}

/** Existing allocations of an instance. */
export interface HeldInstance {
  /** Expected generation of the consumer when the claim adds to these allocations. */
  readonly generation: number;
  readonly allocations: Candidate['allocations'];
  /** Where the scheduler placed it last; null: it is unknown here. */
  readonly placed: { readonly host: string; readonly isMoving: boolean } | null;
}

/** Effect of a claim on the existing allocations of a placed instance. */
export interface Replacement {
  /** Generation of the consumer when the decision began, which must not have changed; null: it has no allocations. */
  readonly generation: number | null;
  /** The record the instance has now. */
  readonly before: InstanceRecord;
  /** State of the instance after the claim. */
  readonly state: 'placed' | 'moving';
  /** Another consumer takes over what the instance has now; null: that is given up. */
  readonly move: MoveClaim | null;
  /** Registered things that the request does not name but stands for. */
  readonly flavorId: string | null;
  readonly imageUuid: string | null;
}

interface MoveClaim {
  readonly migrationUuid: string;
  readonly type: string;
  readonly allocations: Candidate['allocations'];
}

/** Stored data of a placement in addition to its place: documents in their wire format. */
export interface PlacementDocuments {
  readonly requestId: string;
  readonly flavor: object;
  readonly flavorId: string | null;
  readonly image: object | null;
  readonly imageUuid: string | null;
  readonly isBfv: boolean;
  /** The request as it could be sent again for this instance. */
  readonly request: object;
  readonly attempts: number;
  readonly tried: readonly ClaimedHost[];
}

/**
 * Why a claim was not made. `no_capacity`: the candidate no longer fits. `conflict`: another request wrote at the same time,
 * trying again may help. `consumer_exists`: the consumer has allocations already; no other host can help. `policy`: the
 * server group as it is now does not allow this host.
 */
export interface ClaimRefusal {
  readonly outcome: 'no_capacity' | 'conflict' | 'consumer_exists' | 'policy';
  readonly message: string;
  /** With `policy`: the limit of the group at the time of the claim. */
  readonly groupHosts?: GroupHosts;
}

/** Names of the only hosts a server group allows, or of those it does not allow. */
export interface GroupHosts {
  readonly kind: 'only' | 'except';
  readonly hosts: ReadonlySet<string>;
}

export interface AlternatesOffer {
  readonly instanceUuid: string;
  readonly alternates: readonly OfferedHost[];
}

export interface OfferedHost extends ClaimedHost {
  readonly allocations: Candidate['allocations'];
  readonly mappings: Candidate['mappings'];
}

/** The claims of one request, marked with its batch. */
export interface ClaimBatch {
  readonly uuid: string;
  readonly requestId: string;
  /** Records that any process must roll the batch back unless it is finished. */
  isOpen: boolean;
}

/** What the caller of a decision writes together with the end of its claims: both are committed, or neither. */
export type Conclusion = (tx: WriteTx) => Promise<void>;

/** Makes and undoes claims. A refusal is an answer; only what is broken or unreachable is thrown. */
export interface Claims {
  begin(requestId: string): ClaimBatch;
  /** Undefined: it has no allocations. */
  held(instanceUuid: string): Promise<HeldInstance | undefined>;
  /** Before the first of several transactions: from here on nothing of the batch outlives its owner but by `finish`. */
  open(batch: ClaimBatch): Promise<void>;
  /** All of them in one transaction, or none. Throws Unavailable if another process has taken over an open batch. */
  claim(requests: readonly ClaimRequest[], batch: ClaimBatch): Promise<'claimed' | ClaimRefusal>;
  /**
   * Undoes what the batch claimed, whatever happened to it since. Does not fail: what cannot be undone now of an open
   * batch is undone later.
   */
  release(consumerUuids: readonly string[], batch: ClaimBatch): Promise<void>;
  /**
   * All that was claimed stays; remembers where else each of the instances could go. `conclude` writes in the same
   * transaction. Throws as `claim` does.
   */
  finish(offers: readonly AlternatesOffer[], batch: ClaimBatch, conclude?: Conclusion): Promise<void>;
  /** Remembers where else an instance could go that is placed already. */
  remember(offers: readonly AlternatesOffer[]): Promise<void>;
}

/** Services that a decision uses in addition to Placement. Injected, so that a decision can be replayed. */
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
export const REPORTED_HOSTS = Symbol('scheduler.ReportedHosts');
export const REFERENCE_SOURCE = Symbol('scheduler.ReferenceSource');
export const CLAIMS = Symbol('scheduler.Claims');
export const SCHEDULER_ENVIRONMENT = Symbol('scheduler.Environment');
