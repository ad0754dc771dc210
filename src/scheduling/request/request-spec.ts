// The request spec: what a request means once its document is put aside. Data only; how one becomes the other is the
// scheduler's request/normalize-request.ts.

import type { RequestGroup } from '../../candidate-search';
import type { InstanceNumaTopology } from '../numa/numa-topology';
import type { PciRequest } from '../pci/pci-pool';

/** A flavor. Swap is MiB, disks are GiB. */
export interface Flavor {
  readonly name: string | null;
  readonly vcpus: number;
  readonly memoryMb: number;
  readonly rootGb: number;
  readonly ephemeralGb: number;
  readonly swapMb: number;
  readonly extraSpecs: Readonly<Record<string, string>>;
}

/** An image. One built from a volume may lack id, name and disk format. */
export interface Image {
  readonly id: string | null;
  readonly name: string | null;
  readonly diskFormat: string | null;
  readonly properties: Readonly<Record<string, string>>;
}

/** One request, seen for one instance of its batch. */
export interface RequestSpec {
  /** The instance this pass places. */
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
  /** Groups from outside the flavor: ports, accelerators, PCI. The id of the requester is the suffix. */
  readonly requestedResources: readonly RequestGroup[];
  /** Null: not known yet. */
  readonly requestedNetworks: readonly RequestedNetwork[] | null;
  readonly networkMetadata: NetworkMetadata | null;
  /** What the instance asks of NUMA cells; null: nothing. Each member of a batch asks for the same. */
  readonly numaTopology: InstanceNumaTopology | null;
  readonly pciRequests: readonly PciRequest[];
  readonly retry: Retry | null;
  /** `rebuild`: only filters marked for it look at the host, and nothing is claimed. */
  readonly checkType: 'rebuild' | null;
  /** How many of the instances must be placed for the request to succeed. */
  readonly minCount: number;
  readonly rootRequired: readonly string[];
  readonly rootForbidden: readonly string[];
  readonly sameSubtree: readonly (readonly string[])[];
}

/** Where the request wants to go. Lists of aggregates: each inner list is an OR set, and the sets are ANDed. */
export interface RequestedDestination {
  readonly host: string | null;
  readonly node: string | null;
  readonly cell: string | null;
  readonly allowCrossCellMove: boolean;
  readonly aggregates: readonly (readonly string[])[];
  readonly forbiddenAggregates: readonly string[];
}

export type GroupPolicyName = 'affinity' | 'anti-affinity' | 'soft-affinity' | 'soft-anti-affinity';

/** A server group as it stands for this pass; members placed earlier in the batch are in it. */
export interface InstanceGroup {
  readonly uuid: string | null;
  readonly policy: GroupPolicyName;
  /** Anti-affinity only; null means 1. */
  readonly maxServerPerHost: number | null;
  readonly members: ReadonlySet<string>;
  /** Names of the hosts that run members. */
  readonly hosts: ReadonlySet<string>;
}

/** A network or port of the instance. `aggregates`: those of its segments; null on a routed network: not found. */
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

/** A part of the request that changes nothing, and why. */
export interface IgnoredField {
  readonly field: string;
  readonly why: string;
}
