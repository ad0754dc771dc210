import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { HostsModule } from '../../compute/hosts/hosts.module';
import { ImagesModule } from '../../compute/images/images.module';
import { InstancesModule } from '../../compute/instances/instances.module';
import { RegistriesConfigModule } from '../../compute/registries-config.module';
import { ServerGroupsModule } from '../../compute/server-groups/server-groups.module';
import { AllocationCandidatesModule } from '../../placement/allocation-candidates/allocation-candidates.module';
import { AllocationsModule } from '../../placement/allocations/allocations.module';
import { AdviceController } from './advice.controller';
import { AdviceService } from './advice.service';

@Module({})
export class AdviceModule {
  static forRoot(scheduler: DynamicModule, stranded: DynamicModule): DynamicModule {
    return {
      module: AdviceModule,
      imports: [
        AllocationCandidatesModule,
        AllocationsModule,
        HostsModule,
        ImagesModule,
        InstancesModule,
        RegistriesConfigModule,
        ServerGroupsModule,
        scheduler,
        stranded,
      ],
      controllers: [AdviceController],
      providers: [AdviceService],
    };
  }
}
