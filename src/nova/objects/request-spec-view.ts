// What a RequestSpec of nova asks for, with nova's defaults for fields that are not set.

import type {
  Flavor,
  Image,
  NetworkMetadata,
  RequestedDestination,
  Retry,
} from '../../scheduling-rules/request-spec/request-spec';

export interface NovaInstanceGroup {
  readonly uuid: string | null;
  readonly name: string | null;
  readonly policy: string | null;
  readonly maxServerPerHost: number | null;
  /** Uuids of instances. */
  readonly members: readonly string[];
  /** Service hosts of all members, as the conductor found them before the call. */
  readonly hosts: readonly string[];
}

export interface NovaNumaCell {
  readonly id: number;
  /** Numbers of guest CPUs. */
  readonly cpuset: readonly number[];
  readonly pcpuset: readonly number[];
  readonly memoryMb: number;
  /** KiB; -1: small, -2: large, -3: any; null: not requested. */
  readonly pageSize: number | null;
  readonly cpuPolicy: string | null;
  readonly cpuThreadPolicy: string | null;
}

export interface NovaNumaTopology {
  readonly cells: readonly NovaNumaCell[];
  readonly emulatorThreadsPolicy: string | null;
}

export interface NovaPciRequest {
  readonly count: number;
  /** Alternatives: each is a set of properties that a device must have; null: the device must not have it. */
  readonly spec: readonly Readonly<Record<string, string | null>>[];
  readonly aliasName: string | null;
  readonly requestId: string | null;
  readonly numaPolicy: string | null;
}

export interface NovaRequestGroup {
  /** The suffix of the group in the query, and its key in the `mappings` of the answer. */
  readonly requesterId: string | null;
  readonly resources: Readonly<Record<string, number>>;
  readonly requiredTraits: readonly string[];
  readonly forbiddenTraits: readonly string[];
  /** Each inner list is an OR set, and the sets are ANDed. */
  readonly aggregates: readonly (readonly string[])[];
  readonly forbiddenAggregates: readonly string[];
  readonly inTree: string | null;
  readonly useSameProvider: boolean;
}

export interface NovaRequestLevelParams {
  readonly rootRequired: readonly string[];
  readonly rootForbidden: readonly string[];
  readonly sameSubtree: readonly (readonly string[])[];
}

export interface NovaRequestedNetwork {
  /** A uuid, `auto` or `none`. */
  readonly networkId: string | null;
  readonly portId: string | null;
}

export interface NovaRequestSpec {
  /** Null: the caller's, from the context. */
  readonly projectId: string | null;
  /** Null: the caller's, from the context. */
  readonly userId: string | null;
  readonly flavor: Flavor;
  readonly image: Image | null;
  readonly isBfv: boolean;
  readonly availabilityZone: string | null;
  readonly ignoreHosts: readonly string[];
  readonly forceHosts: readonly string[];
  readonly forceNodes: readonly string[];
  /** Every hint is a list of texts. Without `_nova_check_type`. */
  readonly schedulerHints: Readonly<Record<string, readonly string[]>>;
  /** `rebuild`: the request checks a host and claims nothing; null: an ordinary request. */
  readonly checkType: string | null;
  readonly requestedDestination: RequestedDestination | null;
  readonly retry: Retry | null;
  readonly instanceGroup: NovaInstanceGroup | null;
  readonly numaTopology: NovaNumaTopology | null;
  readonly pciRequests: readonly NovaPciRequest[];
  readonly requestedResources: readonly NovaRequestGroup[];
  readonly requestLevelParams: NovaRequestLevelParams;
  readonly requestedNetworks: readonly NovaRequestedNetwork[];
  /** Null: not set. */
  readonly networkMetadata: NetworkMetadata | null;
  /** Paths of the fields that are set and that this version of Berth does not know, sorted. */
  readonly unknownFields: readonly string[];
}
