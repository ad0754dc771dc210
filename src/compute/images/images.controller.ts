import { Controller } from '@nestjs/common';
import { TEXT } from '../../platform/http/answer-schemas';
import type { Written } from '../registry';
import type { ListQuery } from '../registry-page';
import { textsOf } from '../registry-schema';
import { registryController } from '../registry.controller';
import type { RegisteredImage } from './image.entity';
import { IMAGE } from './images.responses';
import { ImageDefinitionDto, ImagePatchDto } from './images.schema';
import type { ImageDefinition, ImageFilter } from './images.service';
import { ImagesService } from './images.service';

const Routes = registryController({
  service: ImagesService,
  collection: 'images',
  key: 'uuid',
  definition: ImageDefinitionDto,
  patch: ImagePatchDto,
  document: IMAGE,
  // The audit log omits properties, because users can write arbitrary data into them.
  audited: ['uuid', 'name', 'disk_format', 'generation'],
  filters: { name: TEXT, disk_format: TEXT },
});

@Controller('scheduler/images')
export class ImagesController extends Routes {
  constructor(readonly registry: ImagesService) {
    super();
  }

  filterOf({ filters }: ListQuery): ImageFilter {
    return { name: filters.last('name'), diskFormat: filters.last('disk_format') };
  }

  definitionOf({ name = null, disk_format: diskFormat = null, properties = {} }: ImageDefinitionDto): ImageDefinition {
    return { name, diskFormat, properties: textsOf(properties) };
  }

  changed(uuid: string, body: ImagePatchDto): Promise<Written<RegisteredImage>> {
    const { name, disk_format: diskFormat, properties, generation } = body;
    return this.registry.change(uuid, generation, { name, diskFormat, properties });
  }
}
