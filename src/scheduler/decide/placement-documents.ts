// The documents stored with a placement, in wire format: enough to charge the host until it reports the instance, and
// to schedule the instance again.

import { flavorBody } from '../../compute/flavors/flavors.responses';
import type { Image, RequestedDestination, RequestSpec } from '../../scheduling-rules/request-spec/request-spec';
import type { PlacementDocuments } from '../ports';
import type { ImageDto } from '../request/request.schema';
import type { DecisionRun } from './decision-run';

export function placementDocuments(
  spec: RequestSpec,
  { command, found }: Pick<DecisionRun, 'command' | 'found'>,
): PlacementDocuments {
  const { requestId, body, attempts = 1, tried = [], replaces } = command;
  const flavor = flavorBody(spec.flavor);
  const image = spec.image === null ? null : imageBody(spec.image);
  const { instances: _instances, instance_names: names, num_instances: _count, min_count: _least, ...asked } = body;
  return {
    requestId,
    name: names?.[spec.instanceUuid] ?? null,
    flavor,
    flavorId: found.flavorId ?? replaces?.flavorId ?? null,
    image,
    imageUuid: found.imageUuid ?? replaces?.imageUuid ?? null,
    isBfv: spec.isBfv,
    request: { ...asked, flavor, image },
    attempts,
    tried,
  };
}

export function imageBody({ id, name, diskFormat, properties }: Image): ImageDto {
  return { id, name, disk_format: diskFormat, properties };
}

export const destinationBody = (destination: RequestedDestination): object => ({
  host: destination.host,
  node: destination.node,
  cell: destination.cell,
  allow_cross_cell_move: destination.allowCrossCellMove,
  aggregates: destination.aggregates,
  forbidden_aggregates: destination.forbiddenAggregates,
});
