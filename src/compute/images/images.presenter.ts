import type { RegisteredImage } from './image.entity';

export const presentImage = (image: RegisteredImage): object => ({
  uuid: image.uuid,
  name: image.name,
  disk_format: image.diskFormat,
  properties: image.properties,
});
