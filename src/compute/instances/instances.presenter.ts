import { presentTime } from '../registry-page';
import type { InstanceRecord } from './instance.entity';
import type { Move } from './instance.entity';
import type { InstanceView } from './instances.service';

/** The instance as lists show it. */
export const presentPlaced = (instance: InstanceRecord): object => ({
  uuid: instance.uuid,
  name: instance.name,
  host: instance.host,
  node: instance.node,
  host_uuid: instance.hostUuid,
  cell: instance.cell,
  project_id: instance.projectId,
  user_id: instance.userId,
  flavor: instance.flavor,
  flavor_id: instance.flavorId,
  image: instance.image,
  image_uuid: instance.imageUuid,
  server_group: instance.groupUuid,
  request_id: instance.requestId,
  is_bfv: instance.isBfv,
  state: instance.state,
  pending: instance.listedAtMs === null,
  attempts: instance.attempts,
  created_at: presentTime(instance.createdAtMs),
  updated_at: presentTime(instance.updatedAtMs),
});

const presentMove = ({ type, migrationUuid, source }: Move): object => ({
  type,
  migration_uuid: migrationUuid,
  source: { host: source.host, node: source.node, uuid: source.hostUuid, cell: source.cell },
});

/** The instance with all details. */
export const presentInstance = ({ instance, allocations, move }: InstanceView): object => ({
  ...presentPlaced(instance),
  numa_topology: instance.numaTopology,
  pci_requests: instance.pciRequests,
  alternates: instance.alternates,
  tried: instance.tried,
  request: instance.request,
  listed_at: presentTime(instance.listedAtMs),
  move: move === undefined ? null : presentMove(move),
  allocations: Object.fromEntries(
    (allocations?.shares ?? []).map(({ providerUuid, resources }) => [
      providerUuid,
      { resources: Object.fromEntries(resources) },
    ]),
  ),
});
