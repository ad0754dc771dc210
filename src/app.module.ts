// Composition root: only wiring.
import type { DynamicModule, Provider } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { ComputeModule } from './compute/compute.module';
import type { BuiltConsole } from './console-server/built-console';
import { ConsoleModule } from './console-server/console.module';
import type { LoadedConfiguration } from './load-configuration';
import { LocalPlacementGuard } from './nova/local-placement.guard';
import { NovaFactsModule } from './nova/nova-facts.module';
import { NovaRegistriesGuard } from './nova/nova-registries.guard';
import { NovaService } from './nova/nova-service';
import { novaMetrics } from './nova/nova.metrics';
import { NovaModule } from './nova/nova.module';
import { weighsImageProperties } from './nova/options';
import type { BerthConfig } from './options';
import { AggregatesModule } from './placement/aggregates/aggregates.module';
import { AllocationCandidatesModule } from './placement/allocation-candidates/allocation-candidates.module';
import { AllocationCandidatesService } from './placement/allocation-candidates/allocation-candidates.service';
import { GraphSource } from './placement/allocation-candidates/graph-source';
import { graphMetrics } from './placement/allocation-candidates/graph.metrics';
import { searchMetrics } from './placement/allocation-candidates/searches.metrics';
import { AllocationsModule } from './placement/allocations/allocations.module';
import { ClaimCounters } from './placement/allocations/claim-counters';
import { claimMetrics } from './placement/allocations/claims.metrics';
import { InventoriesModule } from './placement/inventories/inventories.module';
import { MICROVERSIONS } from './placement/microversions';
import { ProviderTraitsModule } from './placement/provider-traits/provider-traits.module';
import { ReshaperModule } from './placement/reshaper/reshaper.module';
import { ResourceClassesModule } from './placement/resource-classes/resource-classes.module';
import { ResourceProvidersModule } from './placement/resource-providers/resource-providers.module';
import { RootController } from './placement/root/root.controller';
import { TraitsModule } from './placement/traits/traits.module';
import { UsagesModule } from './placement/usages/usages.module';
import type { PolicyEnforcer } from './platform/auth/policy-enforcer';
import { Authenticator } from './platform/auth/principal';
import { ConfigModule } from './platform/config/config.module';
import { Database } from './platform/database/database';
import { DatabaseModule } from './platform/database/database.module';
import { settingsOf, targetOf } from './platform/database/target-of-config';
import type { Admission } from './platform/http/admission';
import type { RequestCounters } from './platform/http/request-counters';
import type { Logger } from './platform/logging/logger';
import type { WarnLog } from './platform/logging/logger.token';
import { LOGGER } from './platform/logging/logger.token';
import { LoggingModule } from './platform/logging/logging.module';
import { databaseMetrics } from './platform/metrics/database.metrics';
import { httpMetrics } from './platform/metrics/http.metrics';
import { Metrics } from './platform/metrics/metrics';
import { MetricsController } from './platform/metrics/metrics.controller';
import { buildMetrics } from './platform/metrics/process.metrics';
import { shareMetrics } from './platform/metrics/shares.metrics';
import type { DocumentSettings } from './platform/openapi/document';
import { OpenApiModule } from './platform/openapi/openapi.module';
import { BrokerHealth } from './platform/operations/broker-health';
import { Lifecycle } from './platform/operations/lifecycle';
import { LoadedGraph } from './platform/operations/loaded-graph';
import { OperationsController } from './platform/operations/operations.controller';
import { VERSION } from './platform/version';
import { practiceCloudApis } from './practice-cloud/practice-cloud-apis';
import { PracticeCloudModule } from './practice-cloud/practice-cloud.module';
import { CapacityTables } from './reports/capacity/capacity-table';
import { capacityMetrics } from './reports/capacity/capacity.metrics';
import { HistoryService } from './reports/history/history.service';
import { ReportsModule } from './reports/reports.module';
import type { SchedulerPipeline } from './scheduler/assemble/scheduler-pipeline';
import { DecisionCounters } from './scheduler/decisions/decision-counters';
import { DecisionStore } from './scheduler/decisions/decision-store';
import { DECISION } from './scheduler/decisions/decision.responses';
import { decisionMetrics } from './scheduler/decisions/decisions.metrics';
import { SchedulerModule } from './scheduler/scheduler.module';
import { SchedulerService } from './scheduler/scheduler.service';

interface AppParts {
  readonly loaded: LoadedConfiguration;
  readonly logger: Logger;
  readonly lifecycle: Lifecycle;
  readonly scheduler: SchedulerPipeline;
  readonly authenticator: Authenticator;
  readonly policies: PolicyEnforcer;
  /** Undefined if the console was not built. */
  readonly builtConsole: BuiltConsole | undefined;
  readonly requests: RequestCounters;
  /** The queue for metered requests. */
  readonly admission: Admission;
}

/** Settings of the API documents. */
export const documentSettings = (config: BerthConfig): DocumentSettings => ({
  urlPrefix: config.berth.url_prefix,
  mounts: practiceCloudApis(config),
  microversions: MICROVERSIONS,
  errorMembers: { decision: DECISION },
});

/** Which parts hand in which numbers. */
const metricsOf = ({ admission, requests }: AppParts): Provider => ({
  provide: Metrics,
  inject: [
    Database,
    GraphSource,
    AllocationCandidatesService,
    ClaimCounters,
    DecisionCounters,
    DecisionStore,
    SchedulerService,
    CapacityTables,
    HistoryService,
    LOGGER,
    { token: NovaService, optional: true },
  ],
  useFactory: (
    db: Database,
    graphs: GraphSource,
    candidates: AllocationCandidatesService,
    claims: ClaimCounters,
    decisions: DecisionCounters,
    store: DecisionStore,
    scheduler: SchedulerService,
    capacity: CapacityTables,
    history: HistoryService,
    log: WarnLog,
    novaService?: NovaService,
  ) =>
    new Metrics(
      [
        ...buildMetrics({ version: VERSION, database: db.dialect.name }),
        ...httpMetrics(requests),
        ...claimMetrics(claims),
        ...searchMetrics(candidates.counters),
        ...shareMetrics(admission),
        ...decisionMetrics(decisions, store, scheduler.classes),
        ...graphMetrics(graphs),
        ...capacityMetrics(capacity, history),
        ...databaseMetrics(db),
        ...novaMetrics(novaService ?? null),
      ],
      log,
    ),
});

interface NovaParts {
  readonly scheduler: DynamicModule;
  readonly facts: DynamicModule | null;
  readonly log: Logger;
}

/** Null unless the service takes the place of nova-scheduler. */
function novaModule(
  { nova: conf, config }: LoadedConfiguration,
  { scheduler, facts, log }: NovaParts,
): DynamicModule | null {
  if (conf === undefined || facts === null) return null;
  const { shutdown_grace_seconds: graceSeconds } = config.berth;
  const { readiness_needs_broker: readinessNeedsBroker } = config.nova;
  return NovaModule.forRoot({ conf, scheduler, facts, graceSeconds, readinessNeedsBroker, log });
}

@Module({})
export class AppModule {
  static forRoot(parts: AppParts): DynamicModule {
    const { loaded, logger, lifecycle, scheduler, authenticator } = parts;
    const { config, plugins, reload, nova } = loaded;
    const novaFacts =
      nova === undefined
        ? null
        : NovaFactsModule.forRoot({
            conf: nova,
            overlapSeconds: config.nova.overlap_seconds,
            readsImageProperties: weighsImageProperties(config),
            log: logger,
          });
    const schedulerModule = SchedulerModule.forRoot({
      pipeline: scheduler,
      plugins,
      directory: config.cwd,
      config,
      externalHosts: novaFacts,
      remotePlacement: nova?.remotePlacement ?? null,
    });
    const novaScheduler = novaModule(loaded, { scheduler: schedulerModule, facts: novaFacts, log: logger });
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
        ComputeModule,
        schedulerModule,
        ReportsModule.forRoot({ scheduler: schedulerModule, lifecycle }),
        ...ConsoleModule.forRoot(config, { authenticator, policies: parts.policies, built: parts.builtConsole }),
        ...PracticeCloudModule.forRoot(config, { authenticator, scheduler: schedulerModule }),
        ...(novaScheduler === null ? [] : [novaScheduler]),
        OpenApiModule.forRoot({ root: () => root, ...documentSettings(config) }),
      ],
      controllers: [RootController, OperationsController, MetricsController],
      providers: [
        CapacityTables,
        metricsOf(parts),
        { provide: Lifecycle, useValue: lifecycle },
        { provide: Authenticator, useValue: authenticator },
        { provide: LoadedGraph, useExisting: GraphSource },
        ...(novaScheduler === null ? [] : [{ provide: BrokerHealth, useExisting: NovaService }]),
        ...(nova === undefined ? [] : [{ provide: APP_GUARD, useClass: NovaRegistriesGuard }]),
        ...(nova?.remotePlacement === undefined ? [] : [{ provide: APP_GUARD, useClass: LocalPlacementGuard }]),
      ],
    };
    return root;
  }
}
