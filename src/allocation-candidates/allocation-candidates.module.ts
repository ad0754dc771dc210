import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import type { BerthConfig } from '../config/berth-config';
import { ResourceClassesModule } from '../resource-classes/resource-classes.module';
import { KnownProviders } from '../resource-providers/known-providers';
import { ResourceProvidersModule } from '../resource-providers/resource-providers.module';
import { TraitsModule } from '../traits/traits.module';
import { AllocationCandidatesController } from './allocation-candidates.controller';
import { AllocationCandidatesService, SEARCH_OPTIONS } from './allocation-candidates.service';
import type { SearchOptions } from './allocation-candidates.service';
import { DatabaseGraphSource } from './database-graph-source';
import { GraphSource } from './graph-source';
import { RETENTION_SECONDS, ResidentGraphSource } from './resident-graph-source';

const GRAPH_SOURCES = { resident: ResidentGraphSource, database: DatabaseGraphSource } as const;

@Module({})
export class AllocationCandidatesModule {
  static forRoot({ placement: options, berth }: BerthConfig): DynamicModule {
    const search: SearchOptions = {
      maxCandidates: options.max_allocation_candidates,
      strategy: options.allocation_candidates_generation_strategy,
      randomize: options.randomize_allocation_candidates,
      randomSeed: options.random_seed,
      maxBytes: berth.max_allocation_candidates_bytes,
    };
    return {
      module: AllocationCandidatesModule,
      global: true,
      imports: [ResourceClassesModule, ResourceProvidersModule, TraitsModule],
      controllers: [AllocationCandidatesController],
      providers: [
        AllocationCandidatesService,
        { provide: RETENTION_SECONDS, useValue: berth.change_log_retention_seconds },
        { provide: GraphSource, useClass: GRAPH_SOURCES[berth.graph_source] },
        { provide: SEARCH_OPTIONS, useValue: search },
        {
          provide: KnownProviders,
          inject: [GraphSource],
          // A graph that is loaded for every search costs more than the names it would spare.
          useFactory: (graphs: GraphSource): KnownProviders =>
            berth.graph_source === 'resident' ? graphs : { current: () => Promise.resolve(undefined) },
        },
      ],
      exports: [AllocationCandidatesService, GraphSource, KnownProviders],
    };
  }
}
