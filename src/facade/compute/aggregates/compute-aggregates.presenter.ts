import type { RegisteredAggregate } from '../../../compute/host-aggregates/host-aggregate.entity';
import { ZONE_KEY } from '../../../compute/host-aggregates/host-aggregates.service';
import type { ComputeVersion } from '../../compute-version';
import { computeStamp } from '../compute-links';

export const presentComputeAggregate = (aggregate: RegisteredAggregate, api: ComputeVersion): object => ({
  id: aggregate.rowId,
  ...(api.has('aggregateUuid') && { uuid: aggregate.uuid }),
  name: aggregate.name,
  availability_zone: aggregate.metadata[ZONE_KEY] ?? null,
  hosts: aggregate.hosts,
  metadata: aggregate.metadata,
  created_at: computeStamp(aggregate.createdAtMs),
  updated_at: computeStamp(aggregate.updatedAtMs),
  deleted: false,
  deleted_at: null,
});
