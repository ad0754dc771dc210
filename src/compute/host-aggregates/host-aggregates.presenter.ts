import type { RegisteredAggregate } from './host-aggregate.entity';

export const presentHostAggregate = (aggregate: RegisteredAggregate): object => ({
  uuid: aggregate.uuid,
  name: aggregate.name,
  availability_zone: aggregate.metadata['availability_zone'] ?? null,
  metadata: aggregate.metadata,
  hosts: aggregate.hosts,
});
