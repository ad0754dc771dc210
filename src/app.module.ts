// Composition root: only wiring.
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { AggregatesModule } from './aggregates/aggregates.module';
import { AllocationCandidatesModule } from './allocation-candidates/allocation-candidates.module';
import { AllocationsModule } from './allocations/allocations.module';
import type { PolicyEnforcer } from './auth/policy-enforcer';
import { Authenticator } from './auth/principal';
import { AvailabilityZonesModule } from './compute/availability-zones/availability-zones.module';
import { FlavorsModule } from './compute/flavors/flavors.module';
import { HostAggregatesModule } from './compute/host-aggregates/host-aggregates.module';
import { HostsModule } from './compute/hosts/hosts.module';
import { ImagesModule } from './compute/images/images.module';
import { InstancesModule } from './compute/instances/instances.module';
import { ServerGroupsModule } from './compute/server-groups/server-groups.module';
import { ServicesModule } from './compute/services/services.module';
import { ConfigModule } from './config/config.module';
import type { BuiltConsole } from './console/built-console';
import { ConsoleModule } from './console/console.module';
import { DatabaseModule } from './database/database.module';
import { settingsOf, targetOf } from './database/target-of-config';
import { facadeApis } from './facade/facade-apis';
import { FacadeModule } from './facade/facade.module';
import type { Admission } from './http/admission';
import type { RequestTally } from './http/request-tally';
import { InventoriesModule } from './inventories/inventories.module';
import type { Logger } from './logging/logger';
import { LoggingModule } from './logging/logging.module';
import { Lifecycle } from './operations/lifecycle';
import { MetricsModule } from './metrics/metrics.module';
import { OpenApiModule } from './openapi/openapi.module';
import { OperationsController } from './operations/operations.controller';
import { WorkerChannel } from './operations/worker-channel';
import { ReportsModule } from './reports/reports.module';
import { ReshaperModule } from './reshaper/reshaper.module';
import { ResourceClassesModule } from './resource-classes/resource-classes.module';
import { ResourceProvidersModule } from './resource-providers/resource-providers.module';
import { RootController } from './root/root.controller';
import type { LoadedConfig } from './scheduler/assemble/configured-scheduler';
import { SchedulerModule } from './scheduler/scheduler.module';
import type { SchedulerPipeline } from './scheduler/assemble/scheduler-pipeline';
import { ProviderTraitsModule } from './provider-traits/provider-traits.module';
import { TraitsModule } from './traits/traits.module';
import { UsagesModule } from './usages/usages.module';

interface AppParts {
  readonly loaded: LoadedConfig;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly workers: WorkerChannel;
  readonly scheduler: SchedulerPipeline;
  readonly authenticator: Authenticator;
  readonly policies: PolicyEnforcer;
  /** Undefined if the console was not built. */
  readonly builtConsole: BuiltConsole | undefined;
  readonly requests: RequestTally;
  /** The queue for metered requests. */
  readonly admission: Admission;
}

/** The APIs of other services that are mounted below paths of their own. */
export const mountsOf = facadeApis;

@Module({})
export class AppModule {
  static forRoot(parts: AppParts): DynamicModule {
    const { loaded, logger, lifecycle, workers, scheduler, authenticator, requests, admission } = parts;
    const { config, plugins, reload } = loaded;
    const schedulerModule = SchedulerModule.forRoot({ pipeline: scheduler, plugins, directory: config.cwd, config });
    const root: DynamicModule = {
      module: AppModule,
      imports: [
        ConfigModule.forRoot(config),
        LoggingModule.forRoot(logger),
        DatabaseModule.forRoot({
          target: targetOf(config, reload),
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
        AllocationsModule,
        ReshaperModule,
        AllocationCandidatesModule,
        HostsModule,
        ServicesModule,
        HostAggregatesModule,
        AvailabilityZonesModule,
        ServerGroupsModule,
        FlavorsModule,
        ImagesModule,
        InstancesModule,
        schedulerModule,
        ReportsModule.forRoot({ scheduler: schedulerModule, lifecycle }),
        ...ConsoleModule.forRoot(config, { authenticator, policies: parts.policies, built: parts.builtConsole }),
        ...FacadeModule.forRoot(config, { authenticator, scheduler: schedulerModule }),
        MetricsModule.forRoot({ admission, requests, scheduler: schedulerModule, workers }),
        OpenApiModule.forRoot({
          root: () => root,
          urlPrefix: config.berth.url_prefix,
          mounts: facadeApis(config),
        }),
      ],
      controllers: [RootController, OperationsController],
      providers: [
        { provide: Lifecycle, useValue: lifecycle },
        { provide: WorkerChannel, useValue: workers },
        { provide: Authenticator, useValue: authenticator },
      ],
    };
    return root;
  }
}
