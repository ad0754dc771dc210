import { byName, orNull, TEXT, UUID } from '../../platform/http/answer-schemas';
import { registered } from '../registry.responses';
import type { RegisteredImage } from './image.entity';

export const IMAGE = registered<RegisteredImage>('Image', {
  uuid: [UUID, ({ uuid }) => uuid],
  name: [orNull(TEXT), ({ name }) => name],
  disk_format: [orNull(TEXT), ({ diskFormat }) => diskFormat],
  properties: [byName(TEXT), ({ properties }) => properties],
});
