import { Module } from '@nestjs/common';
import { ResourceClassesController } from './resource-classes.controller';
import { ResourceClassesService } from './resource-classes.service';

@Module({
  controllers: [ResourceClassesController],
  providers: [ResourceClassesService],
  exports: [ResourceClassesService],
})
export class ResourceClassesModule {}
