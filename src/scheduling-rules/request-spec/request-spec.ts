// The request spec: the parsed request, independent of its document. Data only; the scheduler's
// request/normalize-request.ts creates it.

import type { RequestGroup } from '../../placement/candidate-search';
import type { InstanceNumaTopology } from './numa-topology';
import type { PciRequest } from './pci-pool';

/** A flavor. Swap is in MiB, disks are in GiB. */
export interface Flavor {
  readonly name: string | null;
  readonly vcpus: number;
  readonly memoryMb: number;
  readonly rootGb: number;
  readonly ephemeralGb: number;
  readonly swapMb: number;
  readonly extraSpecs: Readonly<Record<string, string>>;
}

/** An image. One made from a volume can lack id, name and disk format. */
export interface Image {
  readonly id: string | null;
  readonly name: string | null;
  readonly diskFormat: string | null;
  readonly properties: Readonly<Record<string, string>>;
}

/** One request, from the view of one instance of its batch. */
export interface RequestSpec {
  /** The instance that this pass places. */
  readonly instanceUuid: string;
  /** The whole batch, in order. */
  readonly instanceUuids: readonly string[];
  readonly projectId: string;
  readonly userId: string;
  readonly flavor: Flavor;
  readonly image: Image | null;
  readonly isBfv: boolean;
  /** Every hint is a list of texts. */
  readonly schedulerHints: Readonly<Record<string, readonly string[]>>;
  readonly ignoreHosts: readonly string[];
  readonly forceHosts: readonly string[];
  readonly forceNodes: readonly string[];
  readonly availabilityZone: string | null;
  readonly requestedDestination: RequestedDestination | null;
  readonly instanceGroup: InstanceGroup | null;
  /** Groups from outside the flavor: ports, accelerators, PCI. The suffix is the id of the requester. */
  readonly requestedResources: readonly RequestGroup[];
  /** Null: not known yet. */
  readonly requestedNetworks: readonly RequestedNetwork[] | null;
  readonly networkMetadata: NetworkMetadata | null;
  /** The requested NUMA cells; null if none. Each member of a batch requests the same. */
  readonly numaTopology: InstanceNumaTopology | null;
  readonly pciRequests: readonly PciRequest[];
  readonly retry: Retry | null;
  /** `rebuild`: only filters marked for it check the host, and nothing is claimed. */
  readonly checkType: 'rebuild' | null;
  /** Number of instances that must be placed for the request to succeed. */
  readonly minCount: number;
  readonly rootRequired: readonly string[];
  readonly rootForbidden: readonly string[];
  readonly sameSubtree: readonly (readonly string[])[];
}

/** The requested destination. Each inner list of aggregates is an OR set, and the sets are ANDed. */
export interface RequestedDestination {
  readonly host: string | null;
  readonly node: string | null;
  readonly cell: string | null;
  readonly allowCrossCellMove: boolean;
  readonly aggregates: readonly (readonly string[])[];
  readonly forbiddenAggregates: readonly string[];
}

export type GroupPolicyName = 'affinity' | 'anti-affinity' | 'soft-affinity' | 'soft-anti-affinity';

/** A server group for this pass, including members placed earlier in the batch. */
export interface InstanceGroup {
  readonly uuid: string | null;
  /** Of a registered group; absent: the request gives the group inline. */
  readonly name?: string;
  readonly policy: GroupPolicyName;
  /** Anti-affinity only; null means 1. */
  readonly maxServerPerHost: number | null;
  readonly members: ReadonlySet<string>;
  /** Names of the hosts that run members. */
  readonly hosts: ReadonlySet<string>;
}

/** A network or port of the instance. `aggregates`: those of its segments; null if they were not found. */
export interface RequestedNetwork {
  readonly networkId: string | null;
  readonly portId: string | null;
  readonly vnicType: string | null;
  /** Absent: the network has no segments. */
  readonly aggregates: readonly string[] | null | undefined;
}

export interface NetworkMetadata {
  readonly physnets: readonly string[];
  readonly tunneled: boolean;
}

/** Attempts so far and the hosts tried, for the legacy retry filter. */
export interface Retry {
  readonly numAttempts: number;
  readonly hosts: readonly (readonly [host: string, node: string])[];
}

/** A part of the request without effect, and the reason. */
export interface IgnoredField {
  readonly field: string;
  readonly why: string;
}
