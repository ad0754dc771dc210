import { byName, orNull, TEXT, UUID } from '../../platform/http/answer-schemas';
import { DATED, registered } from '../registry.responses';

export const IMAGE = registered('Image', {
  uuid: UUID,
  name: orNull(TEXT),
  disk_format: orNull(TEXT),
  properties: byName(TEXT),
  ...DATED,
});
