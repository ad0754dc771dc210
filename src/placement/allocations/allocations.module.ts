import { Module } from '@nestjs/common';
import { BERTH_CONFIG } from '../../platform/config/config.module';
import { ConsumersModule } from '../consumers/consumers.module';
import type { PlacementConfig } from '../options';
import { ResourceClassesModule } from '../resource-classes/resource-classes.module';
import { ResourceProvidersModule } from '../resource-providers/resource-providers.module';
import { AllocationGroups } from './allocation-groups';
import { AllocationWriter } from './allocation-writer';
import { AllocationsController } from './allocations.controller';
import type { PlaceholderOwner } from './allocations.schema';
import { PLACEHOLDER_OWNER } from './allocations.schema';
import { AllocationsService } from './allocations.service';
import { ClaimCounters } from './claim-counters';

@Module({
  imports: [ConsumersModule, ResourceClassesModule, ResourceProvidersModule],
  controllers: [AllocationsController],
  providers: [
    AllocationsService,
    AllocationGroups,
    AllocationWriter,
    ClaimCounters,
    {
      provide: PLACEHOLDER_OWNER,
      inject: [BERTH_CONFIG],
      useFactory: ({ placement }: PlacementConfig): PlaceholderOwner => ({
        projectId: placement.incomplete_consumer_project_id,
        userId: placement.incomplete_consumer_user_id,
      }),
    },
  ],
  exports: [AllocationsService, ClaimCounters, PLACEHOLDER_OWNER],
})
export class AllocationsModule {}
