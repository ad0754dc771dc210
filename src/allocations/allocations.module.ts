import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { BerthConfig } from '../config/berth-config';
import { ConsumersModule } from '../consumers/consumers.module';
import { ResourceClassesModule } from '../resource-classes/resource-classes.module';
import { ResourceProvidersModule } from '../resource-providers/resource-providers.module';
import { AllocationGroups } from './allocation-groups';
import { AllocationWriter } from './allocation-writer';
import { AllocationsController } from './allocations.controller';
import type { PlaceholderOwner } from './allocations.schema';
import { AllocationsService } from './allocations.service';
import { PLACEHOLDER_OWNER } from './placeholder-owner';
import { ProviderAllocationsService } from './provider-allocations.service';

@Module({})
export class AllocationsModule {
  static forRoot(options: BerthConfig['placement']): DynamicModule {
    const placeholder: PlaceholderOwner = {
      projectId: options.incomplete_consumer_project_id,
      userId: options.incomplete_consumer_user_id,
    };
    return {
      module: AllocationsModule,
      global: true,
      imports: [ConsumersModule, ResourceClassesModule, ResourceProvidersModule],
      controllers: [AllocationsController],
      providers: [
        AllocationsService,
        AllocationGroups,
        AllocationWriter,
        ProviderAllocationsService,
        { provide: PLACEHOLDER_OWNER, useValue: placeholder },
      ],
      exports: [AllocationsService, AllocationWriter, PLACEHOLDER_OWNER],
    };
  }
}
