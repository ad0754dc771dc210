// Wiring only.
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { AggregatesModule } from './aggregates/aggregates.module';
import { AllocationCandidatesModule } from './allocation-candidates/allocation-candidates.module';
import { AllocationsModule } from './allocations/allocations.module';
import type { BerthConfig } from './config/berth-config';
import { DatabaseModule } from './database/database.module';
import { settingsOf, targetOf } from './database/target-of-config';
import { InventoriesModule } from './inventories/inventories.module';
import type { Logger } from './logging/logger';
import { LoggingModule } from './logging/logging.module';
import { Lifecycle } from './operations/lifecycle';
import { OperationsController } from './operations/operations.controller';
import { ReshaperModule } from './reshaper/reshaper.module';
import { ResourceClassesModule } from './resource-classes/resource-classes.module';
import { ResourceProvidersModule } from './resource-providers/resource-providers.module';
import { RootController } from './root/root.controller';
import { inProcessPorts } from './scheduler/adapters';
import { RegistriesModule } from './scheduler/registries/registries.module';
import type { SchedulerExtension } from './scheduler/pipeline/registry';
import { SchedulerModule } from './scheduler/scheduler.module';
import type { SchedulerPipeline } from './scheduler/scheduler.pipeline';
import { ProviderTraitsModule } from './provider-traits/provider-traits.module';
import { TraitsModule } from './traits/traits.module';
import { UsagesModule } from './usages/usages.module';

export interface AppParts {
  readonly config: BerthConfig;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly scheduler: SchedulerPipeline;
  readonly plugins: readonly SchedulerExtension[];
}

@Module({})
export class AppModule {
  static forRoot({ config, logger, lifecycle, scheduler, plugins }: AppParts): DynamicModule {
    return {
      module: AppModule,
      imports: [
        LoggingModule.forRoot(logger),
        DatabaseModule.forRoot({
          target: targetOf(config),
          settings: settingsOf(config),
          retentionSeconds: config.berth.change_log_retention_seconds,
          log: logger,
        }),
        ResourceClassesModule,
        TraitsModule,
        ProviderTraitsModule,
        AggregatesModule,
        ResourceProvidersModule,
        InventoriesModule,
        UsagesModule,
        AllocationsModule.forRoot(config.placement),
        ReshaperModule,
        AllocationCandidatesModule.forRoot(config),
        RegistriesModule.forRoot(config),
        SchedulerModule.register({
          pipeline: scheduler,
          plugins,
          directory: config.cwd,
          decisions: {
            maxCount: config.berth.decisions_max_count,
            maxAgeSeconds: config.berth.decisions_max_age_seconds,
          },
          ports: inProcessPorts(config),
        }),
      ],
      controllers: [RootController, OperationsController],
      providers: [{ provide: Lifecycle, useValue: lifecycle }],
    };
  }
}
