import type { RegisteredAggregate } from '../../../compute/host-aggregates/host-aggregate.entity';
import { ZONE_KEY } from '../../../scheduling-rules/host-state/host-state';
import type { ComputeVersion } from '../../compute-version';
import { toTheMicrosecond } from '../../times';

/** In the response to its creation, an aggregate has neither `hosts` nor `metadata`. */
export const presentNewAggregate = (aggregate: RegisteredAggregate, api: ComputeVersion): object => ({
  id: aggregate.rowId,
  ...(api.has('aggregateUuid') && { uuid: aggregate.uuid }),
  name: aggregate.name,
  availability_zone: aggregate.metadata[ZONE_KEY] ?? null,
  created_at: toTheMicrosecond(aggregate.createdAtMs),
  updated_at: toTheMicrosecond(aggregate.updatedAtMs),
  deleted: false,
  deleted_at: null,
});

export const presentComputeAggregate = (aggregate: RegisteredAggregate, api: ComputeVersion): object => ({
  ...presentNewAggregate(aggregate, api),
  hosts: aggregate.hosts,
  metadata: aggregate.metadata,
});
