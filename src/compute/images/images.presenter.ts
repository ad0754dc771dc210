import type { Warning } from '../definition-rules';
import { presentTime } from '../registry-page';
import type { RegisteredImage } from './image.entity';

export const presentImage = (image: RegisteredImage, warnings?: readonly Warning[]): object => ({
  uuid: image.uuid,
  name: image.name,
  disk_format: image.diskFormat,
  properties: image.properties,
  generation: image.generation,
  created_at: presentTime(image.createdAtMs),
  updated_at: presentTime(image.updatedAtMs),
  ...(warnings !== undefined && { warnings }),
});
