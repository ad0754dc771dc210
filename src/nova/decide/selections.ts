// The hosts of a decision as nova reads them: for each instance the claimed host first, then its alternates.

import type { JsonObject } from '../../platform/values/json-object';
import type { Placed, Placement } from '../../scheduler/claim/placement';
import { ALLOCATION_REQUEST_VERSION } from '../../scheduler/scheduler.presenter';
import { zoneOf } from '../../scheduling-rules/host-state/host-state';
import { selectionOf } from '../objects/selection';

interface SelectionContext {
  readonly defaultAvailabilityZone: string;
  /** A check of a host claims nothing, so it has no allocation request. */
  readonly isCheck: boolean;
}

/** Throws if a host has no cell: nova would start a move between cells. */
export const selectionsOf = (
  placements: readonly Placement[],
  context: SelectionContext,
): readonly (readonly JsonObject[])[] =>
  placements.map(({ selected, alternates }) =>
    [...(selected === null ? [] : [selected]), ...alternates].map((placed) => selectionOfHost(placed, context)),
  );

function selectionOfHost({ state, candidate }: Placed, context: SelectionContext): JsonObject {
  const { host, node, uuid, cell } = state;
  if (cell === null) throw new Error(`The cell of host ${host} is not known.`);
  const { allocations, mappings } = candidate;
  return selectionOf({
    computeNodeUuid: uuid,
    serviceHost: host,
    nodename: node,
    cellUuid: cell,
    limits: state.limits,
    allocationRequest: context.isCheck ? null : { allocations, mappings },
    allocationRequestVersion: context.isCheck ? null : ALLOCATION_REQUEST_VERSION,
    availabilityZone: zoneOf(state, context.defaultAvailabilityZone),
  });
}
