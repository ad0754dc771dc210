import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { DefinitionRulesModule } from '../../compute/definition-rules.module';
import { RegisteredImage } from '../../compute/images/image.entity';
import { InstancesModule } from '../../compute/instances/instances.module';
import { FacadeImagesController } from './images.controller';
import { FacadeImages } from './images.repository';
import { FacadeImagesService } from './images.service';

@Module({
  imports: [TypeOrmModule.forFeature([RegisteredImage]), DefinitionRulesModule, InstancesModule],
  controllers: [FacadeImagesController],
  providers: [FacadeImages, FacadeImagesService],
  exports: [FacadeImagesService],
})
export class FacadeImageModule {}
