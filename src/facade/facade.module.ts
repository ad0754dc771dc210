// Wiring of the facade. The parts of an API that need more have modules of their own in its folder.
import { Module } from '@nestjs/common';
import { ComputeVersionsController, ImageVersionsController } from './versions.controller';

@Module({
  controllers: [ComputeVersionsController, ImageVersionsController],
})
export class FacadeModule {}
