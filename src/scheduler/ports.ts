// The ports of the scheduler to the rest of the product. The adapters use the services behind the Placement API; the
// scheduler has no private path to their tables.

import { randomUUID } from 'node:crypto';
import type { InstanceRecord } from '../compute/instances/instance.entity';
import type { HostBounds } from '../placement/allocation-candidates/host-query';
import type { Candidate, JudgedHost, Provider, ResourceRequest } from '../placement/candidate-search';
import type { WriteTx } from '../platform/database/sql';
import type { Caller } from '../platform/event-loop/caller';
import type { LogContext } from '../platform/logging/log-context';
import type { ChangedHosts } from '../scheduling-rules/host-state/changed-hosts';
import type { NumaPciPlacement } from '../scheduling-rules/host-state/charge-instance';
import type { DirectoryEntry } from '../scheduling-rules/host-state/host-directory';
import type { HostAggregateFacts, ServiceFacts } from '../scheduling-rules/host-state/host-facts';
import type { HostAggregate, HostService, HostState } from '../scheduling-rules/host-state/host-state';
import type { ProviderSummaries } from '../scheduling-rules/host-state/host-state';
import type { PrefilterCloud } from '../scheduling-rules/pipeline/define-prefilter';
import type { NamedKind } from '../scheduling-rules/request-spec/request-refusal';
import type { InstanceGroup } from '../scheduling-rules/request-spec/request-spec';
import type { TargetNode, WantedTarget } from '../scheduling-rules/request-spec/target-host';
import type { References, ResolvedReferences } from './request/normalize-request';

/** The caller: named in the log. Work for a disconnected caller is cancelled. */
export type SchedulerCaller = LogContext & Caller;

/** The `limit` of the request bounds the hosts (roots), and `perRoot` the candidates of each host. */
export type SearchBounds = HostBounds;

/** Candidates in the engine's order, with every provider of the trees they use. */
export interface CandidateAnswer {
  readonly requests: readonly Candidate[];
  readonly summaries: ProviderSummaries;
  /** True if a bound cut the answer: further hosts, and further candidates of the returned ones, can exist. */
  readonly truncated: boolean;
  /** The search reached its work limit: hosts that fit can be missing. */
  readonly gaveUp?: boolean;
  /** A host can have further candidates although it has fewer than `perRoot`; absent: same as `truncated`. */
  readonly hasFurtherOfHosts?: boolean;
}

/**
 * Finds candidates. A query it refuses is thrown as a domain error whose message names the cause (unknown resource
 * class, unknown trait, contradiction); an unreachable placement as `Unavailable`.
 */
export interface CandidateSource {
  search(request: ResourceRequest, bounds: SearchBounds, caller?: SchedulerCaller): Promise<CandidateAnswer>;
  /** Every host with the conditions that it fails; empty: a candidate. Costs a check of every root. Absent: no reasons. */
  judgeHosts?(request: ResourceRequest, caller?: SchedulerCaller): Promise<readonly JudgedHost[]>;
}

/**
 * Facts about hosts in addition to their providers. All methods except `refresh`, `hostsOf` and `states` return data of the
 * last `refresh`, synchronously.
 */
export interface HostSource {
  /**
   * After it, results contain every write that was acknowledged before the call. With an external source they can lack
   * the last second, unless `isNow`.
   */
  refresh(isNow?: boolean): Promise<void>;
  /** Of the hosts that are about to be claimed, by name; null: `refresh` is as new. */
  servicesNow?(hosts: readonly string[]): Promise<ReadonlyMap<string, ServiceNow>> | null;
  /** Hosts of which a `refresh` changed nothing but the time of the last report. */
  readonly heartbeats?: ChangedHosts;
  /** Every other change of a state or a tree by a `refresh`; null or absent: not known, or a change of one host can change others. */
  readonly changes?: ChangedHosts | null;
  /** The moment from which the state of a host is another one without a change, in milliseconds since the epoch. */
  expiresAtMs?(rootUuid: string): number;
  cloud(): PrefilterCloud;
  /** The nodes that match; a null host or node matches all. */
  targets(target: WantedTarget): readonly TargetNode[];
  /** Names of the hosts on which these instances have allocations now, ascending. */
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

/** A compute service as stored now, or why it is not known. */
export type ServiceNow = HostService | { readonly problem: string };

/** What changed in an external source. An id without a row no longer exists. */
interface ExternalChanges {
  readonly version: number;
  readonly serviceIds: readonly number[];
  /** Without Berth's placements. */
  readonly services: readonly ServiceFacts[];
  /** Services whose last report is newer, applied after `services`. */
  readonly heartbeats: readonly { readonly id: number; readonly lastSeenUpMs: number }[];
  readonly aggregateIds: readonly number[];
  readonly aggregates: readonly HostAggregateFacts[];
}

/** Facts about hosts from another source than Berth's registries. With it, only the hosts of this source exist. */
export interface ExternalHostFacts {
  /** After it, `changesSince` is at most `maxAgeMs` old; default: as the source promises. Never throws. */
  refresh(maxAgeMs?: number): Promise<void>;
  /** The services of these hosts as stored now. */
  servicesNow(hosts: readonly string[]): Promise<ReadonlyMap<string, ServiceNow>>;
  /** Changes since the version, 0 for everything. */
  changesSince(version: number): ExternalChanges;
  /** True if the free amounts of the host count the instance. */
  isCounted(host: string, instanceUuid: string): boolean;
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
  /** For an unreported root: the service with its name, if one exists, even if it has never reported. */
  readonly service: HostService | null;
  /** The array is the same object for hosts in the same aggregates. */
  readonly aggregates: readonly HostAggregate[];
}

/** Host data in memory, as fresh as the last provider graph that a search received. */
export interface ReportedHosts {
  reported(): Iterable<ReportedNode>;
  /** The data of any root provider, also of one that does not count as a host. */
  known(root: Pick<Provider, 'uuid' | 'name'>): KnownHost;
  /** The root providers of a service's nodes; undefined: there is no such service. */
  nodesOf(serviceId: number): readonly string[] | undefined;
  /** The service of each root provider with a report. */
  reportedServices(): Iterable<readonly [rootUuid: string, service: HostService]>;
  hostAggregates(): readonly HostAggregate[];
  /** All facts as loaded. */
  facts(): { readonly services: Iterable<ServiceFacts>; readonly aggregates: Iterable<HostAggregateFacts> };
}

/** The registry objects that a request names, with their ids. */
export interface FoundReferences extends ResolvedReferences {
  readonly flavorId: string | null;
  readonly imageUuid: string | null;
}

/** Resolves the names in a request; unknown names are null. Throws RequestRefused for an ambiguous name. */
export interface ReferenceSource {
  /** Resolves a group as if the instance `excludedInstance` were not placed. */
  resolve(references: References, excludedInstance?: string): Promise<FoundReferences>;
  /** The first names of this kind, for suggestions. */
  namesOf(kind: Exclude<NamedKind, 'zone'>): Promise<readonly string[]>;
}

/** The host of a claim. */
export interface ClaimedHost {
  readonly host: string;
  readonly node: string;
  readonly uuid: string;
  readonly cell: string | null;
}

/** One claim: all allocations of a consumer, and the record of its placement. The consumer is new by default. */
export interface ClaimRequest {
  readonly consumerUuid: string;
  readonly allocations: Candidate['allocations'];
  readonly mappings: Candidate['mappings'];
  readonly projectId: string;
  readonly userId: string;
  readonly host: ClaimedHost;
  /** The zone that the request named: the host must still be in it when the claim commits. */
  readonly zone: string | null;
  /** The server group that the instance joins. */
  readonly group: ClaimedGroup | null;
  readonly placement: NumaPciPlacement | null;
  /** Stored with the placement; `finish` can replace them. */
  readonly alternates: readonly OfferedHost[];
  readonly record: PlacementDocuments;
  /** Set if the instance is placed already: the claim replaces its allocations. */
  readonly replaces?: Replacement | undefined;
  /** Set if the instance keeps its allocations, which `allocations` then includes. */
  readonly existing?: HeldInstance | undefined;
}

export interface ClaimedGroup {
  readonly uuid: string;
  /** The policy must hold when the claim commits. */
  readonly isEnforced: boolean;
  /** Absent: the group is in Berth's registry. */
  readonly foreign?: ForeignGroup;
}

/** A group that another service registers, as of the request. */
export type ForeignGroup = Pick<InstanceGroup, 'policy' | 'maxServerPerHost' | 'members'>;

/** Existing allocations of an instance. */
export interface HeldInstance {
  /** Expected generation of the consumer when the claim adds to these allocations. */
  readonly generation: number;
  readonly allocations: Candidate['allocations'];
  /** The last placement by the scheduler; null: the scheduler did not place the instance. */
  readonly placed: { readonly host: string; readonly isMoving: boolean } | null;
}

/** Effect of a claim on the existing allocations of a placed instance. */
export interface Replacement {
  /** Generation of the consumer at the start of the decision, which must not change; null: no allocations. */
  readonly generation: number | null;
  /** The current record of the instance. */
  readonly before: InstanceRecord;
  /** State of the instance after the claim. */
  readonly state: 'placed' | 'moving';
  /** The consumer that takes over the current allocations; null: they are released. */
  readonly move: MoveClaim | null;
  /** Registry objects of the original request, which this request contains as documents. */
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
  /** Name of the instance; null if the request named none. */
  readonly name: string | null;
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
 * Why a claim was refused. `no_capacity`: the candidate no longer fits. `conflict`: another request wrote at the same time;
 * a retry can succeed. `consumer_exists`: the consumer already has allocations, so no other host can succeed. `policy`: the
 * current server group does not allow this host.
 */
export interface ClaimRefusal {
  readonly outcome: 'no_capacity' | 'conflict' | 'consumer_exists' | 'policy';
  readonly message: string;
  /** With `policy`: the limit of the group at the time of the claim. */
  readonly groupHosts?: GroupHosts;
}

/** The only hosts that a server group allows, or the hosts that it excludes. */
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
  /** True if the batch is recorded: any process rolls it back unless it is finished. */
  isOpen: boolean;
}

export const newBatch = (requestId: string): ClaimBatch => ({ uuid: randomUUID(), requestId, isOpen: false });

/** A write of the caller in the transaction that finishes the claims: both are committed, or neither. */
export type Conclusion = (tx: WriteTx) => Promise<void>;

/** Makes and undoes claims. Returns refusals; throws only if a service is broken or unreachable. */
export interface Claims {
  /** The allocations of an instance; undefined: it has none. */
  held(instanceUuid: string): Promise<HeldInstance | undefined>;
  /** Records the batch before the first of several transactions. If its owner dies before `finish`, it is rolled back. */
  open(batch: ClaimBatch): Promise<void>;
  /** Makes all claims in one transaction, or none. Throws Unavailable if another process has taken over an open batch. */
  claim(requests: readonly ClaimRequest[], batch: ClaimBatch): Promise<'claimed' | ClaimRefusal>;
  /**
   * Undoes the claims of the batch, also if they changed since. Does not fail: the remaining claims of an open batch are
   * undone later.
   */
  release(batch: ClaimBatch): Promise<void>;
  /**
   * Keeps the claims, and stores the alternates of each instance. `conclude` writes in the same transaction. Throws like
   * `claim`.
   */
  finish(offers: readonly AlternatesOffer[], batch: ClaimBatch, conclude?: Conclusion): Promise<void>;
}

/** All allocations of one consumer, with their owner. */
export interface StoredAllocations {
  readonly generation: number;
  readonly allocations: Candidate['allocations'];
  readonly projectId: string;
  readonly userId: string;
  /** Kept by `restore`. */
  readonly consumerType?: string | null;
}

/** Reads and restores allocations in Placement. Throws Unavailable if it is not reachable. */
export interface ConsumerStore {
  /** Undefined if the consumer has no allocations. */
  find(consumerUuid: string): Promise<StoredAllocations | undefined>;
  /** The root providers of the trees with their allocations, by consumer. Consumers without allocations are missing. */
  rootsOf(consumerUuids: readonly string[]): Promise<ReadonlyMap<string, readonly Pick<Provider, 'uuid' | 'name'>[]>>;
  /**
   * Replaces the allocations, empty ones too, unless the generation has changed; returns whether it did. `also` writes to
   * Berth's database: in the same transaction if the store is in it, otherwise afterwards.
   */
  restore(consumerUuid: string, to: StoredAllocations, also: (tx: WriteTx) => Promise<void>): Promise<boolean>;
}

/** Services that a decision uses in addition to Placement. Injected, so that a decision can be replayed. */
export interface SchedulerEnvironment {
  /** Milliseconds since the epoch. */
  now(): number;
  newUuid(): string;
  /** A new seed, an integer in [0, 2^32), for requests without one. */
  newSeed(): number;
  /** Uniform in [0, 1), for pauses only; decisions do not depend on it. */
  jitter(): number;
  sleep(ms: number): Promise<void>;
}

export const CANDIDATE_SOURCE = Symbol('scheduler.CandidateSource');
export const HOST_SOURCE = Symbol('scheduler.HostSource');
/** Optional: `ExternalHostFacts`. */
export const EXTERNAL_HOST_FACTS = Symbol('scheduler.ExternalHostFacts');
export const REPORTED_HOSTS = Symbol('scheduler.ReportedHosts');
export const REFERENCE_SOURCE = Symbol('scheduler.ReferenceSource');
export const CLAIMS = Symbol('scheduler.Claims');
export const CONSUMER_STORE = Symbol('scheduler.ConsumerStore');
/** Optional: the `ConsumerStore` of a Placement service that runs elsewhere. */
export const REMOTE_CONSUMERS = Symbol('scheduler.RemoteConsumers');
export const SCHEDULER_ENVIRONMENT = Symbol('scheduler.Environment');
