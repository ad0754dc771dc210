import type { RegisteredAggregate } from '../../../compute/host-aggregates/host-aggregate.entity';
import { ZONE_KEY } from '../../../scheduling-rules/host-state/host-state';
import type { ComputeVersion } from '../../compute-version';
import { toTheMicrosecond } from '../../times';

export const presentComputeAggregate = (aggregate: RegisteredAggregate, api: ComputeVersion): object => ({
  id: aggregate.rowId,
  ...(api.has('aggregateUuid') && { uuid: aggregate.uuid }),
  name: aggregate.name,
  availability_zone: aggregate.metadata[ZONE_KEY] ?? null,
  hosts: aggregate.hosts,
  metadata: aggregate.metadata,
  created_at: toTheMicrosecond(aggregate.createdAtMs),
  updated_at: toTheMicrosecond(aggregate.updatedAtMs),
  deleted: false,
  deleted_at: null,
});
