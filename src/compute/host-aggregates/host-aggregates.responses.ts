import { byName, listOf, orNull, TEXT, UUID } from '../../platform/http/answer-schemas';
import { DATED, registered } from '../registry.responses';

export const HOST_AGGREGATE = registered('HostAggregate', {
  uuid: UUID,
  name: TEXT,
  availability_zone: orNull(TEXT),
  metadata: byName(TEXT),
  hosts: listOf(TEXT),
  ...DATED,
});
