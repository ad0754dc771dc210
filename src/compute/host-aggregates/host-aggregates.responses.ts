import { byName, listOf, orNull, TEXT, UUID } from '../../platform/http/answer-schemas';
import { ZONE_KEY } from '../../scheduling-rules/host-state/host-state';
import { registered } from '../registry.responses';
import type { RegisteredAggregate } from './host-aggregate.entity';

export const HOST_AGGREGATE = registered<RegisteredAggregate>('HostAggregate', {
  uuid: [UUID, ({ uuid }) => uuid],
  name: [TEXT, ({ name }) => name],
  availability_zone: [orNull(TEXT), ({ metadata }) => metadata[ZONE_KEY] ?? null],
  metadata: [byName(TEXT), ({ metadata }) => metadata],
  hosts: [listOf(TEXT), ({ hosts }) => hosts],
});
