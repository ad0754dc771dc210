import { Module } from '@nestjs/common';
import { ResourceClassesService } from './resource-classes.service';

@Module({
  providers: [ResourceClassesService],
  exports: [ResourceClassesService],
})
export class ResourceClassesModule {}
