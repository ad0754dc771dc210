// Selection 1.1, the answer of select_destinations for one host, as nova reads it since Rocky.

import type { JsonObject } from '../../platform/values/json-object';
import { writeObject } from './versioned-object';

/** Limits that the compute service checks again; null: unlimited. */
export interface NovaLimits {
  readonly vcpu: number | null;
  readonly memoryMb: number | null;
  readonly diskGb: number | null;
  readonly numaTopology: NovaNumaLimits | null;
}

interface NovaNumaLimits {
  readonly cpuAllocationRatio: number;
  readonly ramAllocationRatio: number;
  /** Networks that the cells must reach; null without networks. */
  readonly network: { readonly physnets: readonly string[]; readonly tunneled: boolean } | null;
}

interface NovaSelection {
  /** The root provider. */
  readonly computeNodeUuid: string;
  readonly serviceHost: string;
  readonly nodename: string;
  /** The real cell: the conductor starts a move between cells if it differs from the instance's. */
  readonly cellUuid: string;
  readonly limits: NovaLimits;
  /** Body of `PUT /allocations/{uuid}`. Its `mappings` must name every requester; null: a check that claims nothing. */
  readonly allocationRequest: object | null;
  /** Null if and only if `allocationRequest` is null. */
  readonly allocationRequestVersion: string | null;
  readonly availabilityZone: string | null;
}

export const NO_LIMITS: NovaLimits = Object.freeze({ vcpu: null, memoryMb: null, diskGb: null, numaTopology: null });

export function selectionOf(selection: NovaSelection): JsonObject {
  const { computeNodeUuid, serviceHost, nodename, cellUuid, limits, availabilityZone } = selection;
  return writeObject('Selection', '1.1', {
    compute_node_uuid: computeNodeUuid,
    service_host: serviceHost,
    nodename,
    cell_uuid: cellUuid,
    limits: limitsOf(limits),
    // A JSON text inside JSON.
    allocation_request: JSON.stringify(selection.allocationRequest),
    allocation_request_version: selection.allocationRequestVersion,
    availability_zone: availabilityZone,
  });
}

/** SchedulerLimits 1.0. Its amounts are integers; nova truncates fractions. */
const limitsOf = ({ numaTopology, vcpu, diskGb, memoryMb }: NovaLimits): JsonObject =>
  writeObject('SchedulerLimits', '1.0', {
    numa_topology: numaTopology === null ? null : numaLimitsOf(numaTopology),
    vcpu: truncated(vcpu),
    disk_gb: truncated(diskGb),
    memory_mb: truncated(memoryMb),
  });

const truncated = (amount: number | null): number | null => (amount === null ? null : Math.trunc(amount));

const numaLimitsOf = ({ cpuAllocationRatio, ramAllocationRatio, network }: NovaNumaLimits): JsonObject =>
  writeObject('NUMATopologyLimits', '1.1', {
    cpu_allocation_ratio: cpuAllocationRatio,
    ram_allocation_ratio: ramAllocationRatio,
    ...(network !== null && {
      network_metadata: writeObject('NetworkMetadata', '1.0', {
        physnets: [...network.physnets].sort(),
        tunneled: network.tunneled,
      }),
    }),
  });
