import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ComputeModule } from '../../compute/compute.module';
import { RegisteredImage } from '../../compute/images/image.entity';
import { FacadeImagesController } from './images.controller';
import { FacadeImages } from './images.repository';
import { FacadeImagesService } from './images.service';

@Module({
  imports: [TypeOrmModule.forFeature([RegisteredImage]), ComputeModule],
  controllers: [FacadeImagesController],
  providers: [FacadeImages, FacadeImagesService],
  exports: [FacadeImagesService],
})
export class FacadeImageModule {}
