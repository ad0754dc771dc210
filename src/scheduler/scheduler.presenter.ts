// Presents selections of hosts. decisions/decision.presenter.ts presents decisions.

import type { HostLimits } from '../scheduling-rules/host-state/host-state';
import { zoneOf } from '../scheduling-rules/host-state/host-state';
import type { Placed, Placement } from './claim/placement';

/** Maximum of instances in one audit event; fewer if the names are long. */
const PLACEMENTS_SHOWN = 100;

/** The Placement microversion of the allocation requests. */
export const ALLOCATION_REQUEST_VERSION = '1.36';

export interface SelectionsContext {
  readonly defaultAvailabilityZone: string;
}

/** One entry per instance, in the order of the request. */
export function presentSelections(placements: readonly Placement[], context: SelectionsContext): readonly object[] {
  return placements.map((placement) => presentSelection(placement, context));
}

export function presentSelection(
  { instanceUuid, selected, alternates }: Placement,
  context: SelectionsContext,
): object {
  return {
    instance_uuid: instanceUuid,
    selected: selected === null ? null : presentPlaced(selected, context),
    alternates: alternates.map((alternate) => presentPlaced(alternate, context)),
  };
}

/** Fields of `presentPlacements`, for routes whose audit events show them. */
export const PLACED = ['placements', 'placements_in_all'];

export function presentPlacements(placements: readonly Placement[]): object {
  const shown = placements.slice(0, PLACEMENTS_SHOWN).map(({ instanceUuid, selected }) => ({
    instance_uuid: instanceUuid,
    host: selected?.state.host ?? null,
    node: selected?.state.node ?? null,
  }));
  return { placements: shown, placements_in_all: placements.length };
}

function presentPlaced({ state, weight, candidate }: Placed, context: SelectionsContext): object {
  return {
    host: state.host,
    node: state.node,
    uuid: state.uuid,
    cell: state.cell,
    availability_zone: zoneOf(state, context.defaultAvailabilityZone),
    weight,
    limits: presentLimits(state.limits),
    allocation_request: { allocations: candidate.allocations, mappings: candidate.mappings },
    allocation_request_version: ALLOCATION_REQUEST_VERSION,
  };
}

/** The limits that the compute host must check again. */
function presentLimits({ numa, vcpu, memoryMb, diskGb }: HostLimits): object {
  return {
    ...(numa !== undefined && {
      numa_topology: {
        cpu_allocation_ratio: numa.cpuAllocationRatio,
        ram_allocation_ratio: numa.ramAllocationRatio,
      },
    }),
    ...(vcpu !== undefined && { vcpu }),
    ...(memoryMb !== undefined && { memory_mb: memoryMb }),
    ...(diskGb !== undefined && { disk_gb: diskGb }),
  };
}
