import { Module } from '@nestjs/common';
import { AllocationsModule } from '../../placement/allocations/allocations.module';
import { InstancesController } from './instances.controller';
import { InstancesService } from './instances.service';
import { ReleasedInstances } from './released-instances';

@Module({
  imports: [AllocationsModule],
  controllers: [InstancesController],
  providers: [InstancesService, ReleasedInstances],
  exports: [InstancesService],
})
export class InstancesModule {}
