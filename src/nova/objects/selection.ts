// Selection 1.1, the answer of select_destinations for one host, as nova reads it since Rocky.

import type { JsonObject } from '../../platform/values/json-object';
import type { HostLimits } from '../../scheduling-rules/host-state/host-state';
import { writeObject } from './versioned-object';

interface NovaSelection {
  /** The root provider. */
  readonly computeNodeUuid: string;
  readonly serviceHost: string;
  readonly nodename: string;
  /** The real cell: the conductor starts a move between cells if it differs from the instance's. */
  readonly cellUuid: string;
  /** The compute service checks them again. */
  readonly limits: HostLimits;
  /** Body of `PUT /allocations/{uuid}`. Its `mappings` must name every requester; null: a check that claims nothing. */
  readonly allocationRequest: object | null;
  /** Null if and only if `allocationRequest` is null. */
  readonly allocationRequestVersion: string | null;
  readonly availabilityZone: string | null;
}

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

/** SchedulerLimits 1.0; null: unlimited. Its amounts are integers; nova truncates fractions. */
const limitsOf = ({ numa, vcpu, diskGb, memoryMb }: HostLimits): JsonObject =>
  writeObject('SchedulerLimits', '1.0', {
    numa_topology: numa === undefined ? null : numaLimitsOf(numa),
    vcpu: truncated(vcpu),
    disk_gb: truncated(diskGb),
    memory_mb: truncated(memoryMb),
  });

const truncated = (amount: number | undefined): number | null => (amount === undefined ? null : Math.trunc(amount));

const numaLimitsOf = ({
  cpuAllocationRatio,
  ramAllocationRatio,
  network,
}: NonNullable<HostLimits['numa']>): JsonObject =>
  writeObject('NUMATopologyLimits', '1.1', {
    cpu_allocation_ratio: cpuAllocationRatio,
    ram_allocation_ratio: ramAllocationRatio,
    ...(network && {
      network_metadata: writeObject('NetworkMetadata', '1.0', {
        physnets: [...network.physnets].sort(),
        tunneled: network.tunneled,
      }),
    }),
  });
