import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { BerthConfig } from '../config/berth-config';
import { ResourceClassesModule } from '../resource-classes/resource-classes.module';
import { TraitsModule } from '../traits/traits.module';
import { AllocationCandidatesController } from './allocation-candidates.controller';
import { AllocationCandidatesService, SEARCH_OPTIONS } from './allocation-candidates.service';
import type { SearchOptions } from './allocation-candidates.service';
import { DatabaseGraphSource } from './database-graph-source';
import { GraphSource } from './graph-source';

@Module({})
export class AllocationCandidatesModule {
  static forRoot(options: BerthConfig['placement']): DynamicModule {
    const search: SearchOptions = {
      maxCandidates: options.max_allocation_candidates,
      strategy: options.allocation_candidates_generation_strategy,
      randomize: options.randomize_allocation_candidates,
      randomSeed: options.random_seed,
    };
    return {
      module: AllocationCandidatesModule,
      global: true,
      imports: [ResourceClassesModule, TraitsModule],
      controllers: [AllocationCandidatesController],
      providers: [
        AllocationCandidatesService,
        { provide: GraphSource, useClass: DatabaseGraphSource },
        { provide: SEARCH_OPTIONS, useValue: search },
      ],
      exports: [AllocationCandidatesService, GraphSource],
    };
  }
}
