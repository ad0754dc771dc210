// The ports of the scheduler to the rest of the product. The adapters use the services behind the Placement API; the
// scheduler has no private path to their tables.

import type { WriteTx } from '../platform/database/sql';
import type { LogContext } from '../platform/logging/log-context';
import type { Caller } from '../platform/event-loop/caller';
import type { DirectoryEntry } from '../scheduling-rules/host-state/host-directory';
import type { HostAggregate, HostService, HostState } from '../scheduling-rules/host-state/host-state';
import type { NumaPciPlacement } from '../scheduling-rules/numa/charge-instance';
import type { PrefilterCloud } from '../scheduling-rules/pipeline/define-prefilter';
import type { InstanceRecord } from '../compute/instances/instance.entity';
import type { Candidate, Mend, Provider, Rejection } from '../placement/candidate-search';
import type { ProviderSummaries } from '../scheduling-rules/host-state/host-state';
import type { ResourceRequest } from '../placement/candidate-search';
import type { References, ResolvedReferences } from './request/normalize-request';
import type { TargetNode, WantedTarget } from '../scheduling-rules/request/target-host';

/** The caller: its names go to the log, and its work stops when it disconnects. */
export type Asker = LogContext & Caller;

/** The `limit` of the request bounds the hosts (roots), and `perRoot` the candidates of each host. */
export interface SearchBounds {
  readonly perRoot: number;
  /** Also return why each root has no candidate. Costs a visit to every root; the candidates are the same. */
  readonly isExplained?: boolean;
}

/** Candidates in the engine's order, with every provider of the trees they use. */
export interface CandidateAnswer {
  readonly requests: readonly Candidate[];
  readonly summaries: ProviderSummaries;
  /** True if a limit cut the answer: further hosts, and further candidates of the returned ones, can exist. */
  readonly truncated: boolean;
  /** The search reached a step limit: hosts that fit can be missing. */
  readonly gaveUp?: boolean;
  /** A host can have further candidates although fewer than `perRoot` were returned; absent: same as `truncated`. */
  readonly hasFurtherOfHosts?: boolean;
  /** The number of matching hosts after the limit; null if the engine did not count them. */
  readonly notConsidered?: number | null;
  /** On request: every root that is neither returned nor counted as not considered, with its reason. */
  readonly rejections?: readonly Rejection[];
}

/**
 * Finds candidates. Throws a domain error whose message names the cause for a query that it refuses (unknown resource
 * class, unknown trait, contradiction), and `Unavailable` if Placement is unreachable.
 */
export interface CandidateSource {
  search(request: ResourceRequest, bounds: SearchBounds, asker?: Asker): Promise<CandidateAnswer>;
  /** The ids of those roots that would have a candidate after the change of their mend alone. */
  mended(request: ResourceRequest, mends: ReadonlyMap<number, Mend>, asker?: Asker): Promise<ReadonlySet<number>>;
}

/**
 * Facts about hosts beyond their providers. All methods except `refresh`, `hostsOf` and `states` answer synchronously
 * from the last `refresh`.
 */
export interface HostSource {
  /** After this call, results reflect every write that was acknowledged before it. */
  refresh(): Promise<void>;
  cloud(): PrefilterCloud;
  /** The nodes that match; a null host or node matches all of them. */
  targets(wanted: WantedTarget): readonly TargetNode[];
  /** The current names of the hosts on which these instances have allocations; ascending. */
  hostsOf(instances: readonly string[]): Promise<ReadonlySet<string>>;
  /**
   * States of the hosts of these trees, by root uuid, without candidates. Roots that are not hosts are omitted. An
   * empty tree means that Placement was not queried; the tree of the last `refresh` is used.
   */
  states(
    trees: ReadonlyMap<string, readonly Provider[]>,
    at: { readonly nowMs: number; readonly novaCompat: boolean; readonly caller?: Caller | undefined },
  ): Promise<ReadonlyMap<string, HostState>>;
}

/** A node and its last report, as known to this process. */
export interface ReportedNode {
  readonly host: string;
  readonly node: string;
  readonly stats: Readonly<Record<string, string>>;
  /** Milliseconds since the epoch; null: never. */
  readonly lastSeenUpMs: number | null;
}

/** The registries' facts and the last report of a root provider, as known to this process. */
export interface KnownHost {
  /** Null: the root has no report. */
  readonly reported: DirectoryEntry | null;
  /** The host with the name of an unreported root, if there is one; such a service may never have reported. */
  readonly service: HostService | null;
  /** Hosts in the same aggregates share one array. */
  readonly aggregates: readonly HostAggregate[];
}

/** From memory only, without further queries: as fresh as the provider graph returned last. */
export interface ReportedHosts {
  reported(): readonly ReportedNode[];
  /** For any root provider, whether or not it counts as a host. */
  known(root: Pick<Provider, 'uuid' | 'name'>): KnownHost;
  /** The root providers of a service's nodes; undefined: the service does not exist. */
  nodesOf(serviceId: number): readonly string[] | undefined;
  /** The service of each root provider with a report. */
  reportedServices(): Iterable<readonly [rootUuid: string, service: HostService]>;
  hostAggregates(): readonly HostAggregate[];
}

/** The registered objects that a request names, with their ids. */
export interface FoundReferences extends ResolvedReferences {
  readonly flavorId: string | null;
  readonly imageUuid: string | null;
}

/** Finds the objects that a request names; unknown ones are null. Throws `RequestRefused` for an ambiguous name. */
export interface ReferenceSource {
  /** The group is returned as if the instance `besides` were not placed. */
  resolve(references: References, besides?: string): Promise<FoundReferences>;
}

/** The place of an instance. */
export interface ClaimedHost {
  readonly host: string;
  readonly node: string;
  readonly uuid: string;
  readonly cell: string | null;
}

/** One claim: all allocations of a consumer, a new one by default, and the placement record. */
export interface ClaimRequest {
  readonly consumerUuid: string;
  readonly allocations: Candidate['allocations'];
  readonly mappings: Candidate['mappings'];
  readonly projectId: string;
  readonly userId: string;
  readonly host: ClaimedHost;
  /** The registered server group that the instance joins. `isEnforced`: its policy must hold when the claim commits. */
  readonly group: { readonly uuid: string; readonly isEnforced: boolean } | null;
  readonly placement: NumaPciPlacement | null;
  readonly record: PlacementDocuments;
  /** Set if the instance is already placed: this claim replaces its allocations. */
  readonly replaces?: Replacement | undefined;
  /** Set if the instance keeps existing allocations; `allocations` includes them. */
  readonly beside?: HeldInstance | undefined;
}

/** The existing allocations of an instance. */
export interface HeldInstance {
  /** The consumer's generation, which must not change until the claim commits. */
  readonly generation: number;
  readonly allocations: Candidate['allocations'];
  /** The scheduler's last placement of the instance; null: unknown. */
  readonly placed: { readonly host: string; readonly isMoving: boolean } | null;
}

/** How a claim replaces the allocations of an instance that is already placed. */
export interface Replacement {
  /** The consumer's generation at the start of the decision, which must not change; null: there are no allocations. */
  readonly generation: number | null;
  /** The current record of the instance. */
  readonly before: InstanceRecord;
  /** The state of the instance after the claim. */
  readonly state: 'placed' | 'moving';
  /** Another consumer takes over the old allocations; null: they are released. */
  readonly move: MoveClaim | null;
  /** Ids of registered objects that the request gives inline. */
  readonly flavorId: string | null;
  readonly imageUuid: string | null;
}

interface MoveClaim {
  readonly migrationUuid: string;
  readonly type: string;
  readonly allocations: Candidate['allocations'];
}

/** The documents stored with a placement, in wire format. */
export interface PlacementDocuments {
  readonly requestId: string;
  readonly flavor: object;
  readonly flavorId: string | null;
  readonly image: object | null;
  readonly imageUuid: string | null;
  readonly isBfv: boolean;
  /** The request in a form that can be sent again for this instance. */
  readonly request: object;
  readonly attempts: number;
  readonly tried: readonly ClaimedHost[];
}

/**
 * Why a claim failed. `no_capacity`: the candidate no longer fits. `conflict`: a concurrent write; a retry can succeed.
 * `consumer_exists`: the consumer already has allocations; no other host can help. `policy`: the server group, as it is
 * now, forbids this host.
 */
export interface ClaimRefusal {
  readonly outcome: 'no_capacity' | 'conflict' | 'consumer_exists' | 'policy';
  readonly message: string;
  /** With `policy`: the hosts that the group allows, as the claim found it. */
  readonly groupHosts?: GroupHosts;
}

/** The only hosts that a server group allows, or the hosts that it forbids. */
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

/** The claims of one request. All of them carry its mark. */
export interface ClaimBatch {
  readonly uuid: string;
  readonly requestId: string;
  /** The batch is recorded: any process that finds it unfinished undoes all of it. */
  isOpen: boolean;
}

/** A write of the caller in the transaction that ends the claims: both are committed, or neither. */
export type Conclusion = (tx: WriteTx) => Promise<void>;

/** Makes and undoes claims. A refusal is a result; only unexpected errors and unavailability are thrown. */
export interface Claims {
  begin(requestId: string): ClaimBatch;
  /** Undefined: the instance has no allocations. */
  held(instanceUuid: string): Promise<HeldInstance | undefined>;
  /**
   * Call before the first of several transactions: from then on only `finish` makes the claims of the batch permanent.
   */
  open(batch: ClaimBatch): Promise<void>;
  /** Claims all of them in one transaction, or none. Throws Unavailable if another process took over an open batch. */
  claim(requests: readonly ClaimRequest[], batch: ClaimBatch): Promise<'claimed' | ClaimRefusal>;
  /**
   * Undoes all claims of the batch, regardless of later changes. Never throws: what fails for an open batch is undone
   * later.
   */
  release(consumerUuids: readonly string[], batch: ClaimBatch): Promise<void>;
  /**
   * Makes all claims permanent and stores the alternates of each instance. `conclude` writes in the same transaction.
   * Throws like `claim`.
   */
  finish(offers: readonly AlternatesOffer[], batch: ClaimBatch, conclude?: Conclusion): Promise<void>;
  /** Stores alternates for an instance that is already placed. */
  remember(offers: readonly AlternatesOffer[]): Promise<void>;
}

/** Clock and randomness of a decision. Injected, so a decision can be replayed. */
export interface SchedulerEnvironment {
  /** Milliseconds since the epoch. */
  now(): number;
  newUuid(): string;
  /** A new seed, an integer in [0, 2^32), for requests without one. */
  newSeed(): number;
  /** Uniform in [0, 1), for pauses only: it has no effect on decisions. */
  jitter(): number;
  sleep(ms: number): Promise<void>;
}

export const CANDIDATE_SOURCE = Symbol('scheduler.CandidateSource');
export const HOST_SOURCE = Symbol('scheduler.HostSource');
export const REPORTED_HOSTS = Symbol('scheduler.ReportedHosts');
export const REFERENCE_SOURCE = Symbol('scheduler.ReferenceSource');
export const CLAIMS = Symbol('scheduler.Claims');
export const SCHEDULER_ENVIRONMENT = Symbol('scheduler.Environment');
