import { Module } from '@nestjs/common';
import { BERTH_CONFIG } from '../../platform/config/config.module';
import { Database } from '../../platform/database/database';
import type { InfoLog } from '../../platform/logging/logger.token';
import { LOGGER } from '../../platform/logging/logger.token';
import type { PlacementConfig } from '../options';
import { ResourceClassesModule } from '../resource-classes/resource-classes.module';
import { ProviderIds } from '../resource-providers/provider-ids';
import { ResourceProvidersModule } from '../resource-providers/resource-providers.module';
import { TraitsModule } from '../traits/traits.module';
import { AllocationCandidatesController } from './allocation-candidates.controller';
import type { SearchOptions } from './allocation-candidates.service';
import { AllocationCandidatesService, SEARCH_OPTIONS } from './allocation-candidates.service';
import { GraphSource } from './graph-source';

@Module({
  imports: [ResourceClassesModule, ResourceProvidersModule, TraitsModule],
  controllers: [AllocationCandidatesController],
  providers: [
    AllocationCandidatesService,
    {
      provide: GraphSource,
      inject: [BERTH_CONFIG, Database, ProviderIds, LOGGER],
      useFactory: ({ berth }: PlacementConfig, db: Database, ids: ProviderIds, log: InfoLog): GraphSource =>
        new GraphSource(db, berth.change_log_retention_seconds, ids, log),
    },
    {
      provide: SEARCH_OPTIONS,
      inject: [BERTH_CONFIG],
      useFactory: ({ placement, berth }: PlacementConfig): SearchOptions => ({
        maxCandidates: placement.max_allocation_candidates,
        strategy: placement.allocation_candidates_generation_strategy,
        randomize: placement.randomize_allocation_candidates,
        randomSeed: placement.random_seed,
        maxBytes: berth.max_allocation_candidates_bytes,
      }),
    },
  ],
  exports: [AllocationCandidatesService, GraphSource],
})
export class AllocationCandidatesModule {}
