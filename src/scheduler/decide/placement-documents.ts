// The documents stored with a placement, in wire format: enough to charge the host until it reports the instance, and
// to schedule the instance again.

import { flavorBody } from '../../compute/flavors/flavors.presenter';
import type { Image, RequestedDestination, RequestSpec } from '../../scheduling-rules/request-spec/request-spec';
import type { ClaimedHost, FoundReferences, PlacementDocuments } from '../ports';
import type { ImageDto, SelectDestinationsDto } from '../request/request.schema';

interface DocumentsOf {
  readonly requestId: string;
  readonly body: SelectDestinationsDto;
  readonly found: FoundReferences;
  readonly attempts: number;
  readonly tried: readonly ClaimedHost[];
}

export function placementDocuments(spec: RequestSpec, from: DocumentsOf): PlacementDocuments {
  const { requestId, body, found, attempts, tried } = from;
  const flavor = flavorBody(spec.flavor);
  const image = spec.image === null ? null : imageBody(spec.image);
  const { instances: _instances, instance_names: names, num_instances: _count, min_count: _least, ...asked } = body;
  return {
    requestId,
    name: names?.[spec.instanceUuid] ?? null,
    flavor,
    flavorId: found.flavorId,
    image,
    imageUuid: found.imageUuid,
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
