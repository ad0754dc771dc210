import type { Warning } from '../definition-rules';
import { presentTime } from '../registry-page';
import type { RegisteredAggregate } from './host-aggregate.entity';

export const presentHostAggregate = (aggregate: RegisteredAggregate, warnings?: readonly Warning[]): object => ({
  uuid: aggregate.uuid,
  name: aggregate.name,
  availability_zone: aggregate.metadata['availability_zone'] ?? null,
  metadata: aggregate.metadata,
  hosts: aggregate.hosts,
  generation: aggregate.generation,
  created_at: presentTime(aggregate.createdAtMs),
  updated_at: presentTime(aggregate.updatedAtMs),
  ...(warnings !== undefined && { warnings }),
});
