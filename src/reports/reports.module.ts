// Wiring of reports: read models over data in memory. Reports change no data.
import type { DynamicModule, Provider } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { ComputeModule } from '../compute/compute.module';
import { AllocationCandidatesModule } from '../placement/allocation-candidates/allocation-candidates.module';
import { AllocationsModule } from '../placement/allocations/allocations.module';
import { ResourceClassesModule } from '../placement/resource-classes/resource-classes.module';
import { ResourceProvidersModule } from '../placement/resource-providers/resource-providers.module';
import { TraitsModule } from '../placement/traits/traits.module';
import { UsagesModule } from '../placement/usages/usages.module';
import { BERTH_CONFIG } from '../platform/config/config.module';
import { Lifecycle } from '../platform/operations/lifecycle';
import { AdviceController } from './advice/advice.controller';
import { AdviceService } from './advice/advice.service';
import { CapacityReportController } from './capacity/capacity-report.controller';
import { CapacityReportService } from './capacity/capacity-report.service';
import { CHANGE_RETENTION_SECONDS, ChangeFeed } from './changes/change-feed';
import { ChangesController } from './changes/changes.controller';
import { InstanceCounts } from './cloud/instance-counts';
import { KnownNames } from './cloud/known-names';
import { FlavorFits } from './fit/flavor-fits';
import { FlavorReportController } from './flavors/flavor-report.controller';
import { HistoryController } from './history/history.controller';
import { HISTORY_INTERVAL_SECONDS, HistoryService } from './history/history.service';
import { HostChanges } from './history/host-changes';
import { DecisionMentions } from './hosts/decision-mentions';
import { HostDetailService } from './hosts/host-detail.service';
import { HostListService } from './hosts/host-list.service';
import { HostReportsController } from './hosts/host-reports.controller';
import { InstanceListService } from './instances/instance-list.service';
import { InstanceReportsController } from './instances/instance-reports.controller';
import { MapController } from './map/map.controller';
import type { ReportsConfig } from './options';
import { ProjectsController } from './projects/projects.controller';
import { ProjectsService } from './projects/projects.service';
import { RefusalsController } from './refusals/refusals.controller';
import { RefusalsService } from './refusals/refusals.service';
import { FindingsCache, STRANDED_MAX_AGE_SECONDS } from './stranded/findings-cache';

interface ReportsModuleInput {
  /** The scheduler of the application. */
  readonly scheduler: DynamicModule;
  readonly lifecycle: Lifecycle;
}

@Module({})
export class ReportsModule {
  static forRoot({ scheduler, lifecycle }: ReportsModuleInput): DynamicModule {
    return {
      module: ReportsModule,
      imports: [
        AllocationCandidatesModule,
        AllocationsModule,
        ComputeModule,
        ResourceProvidersModule,
        ResourceClassesModule,
        TraitsModule,
        UsagesModule,
        scheduler,
      ],
      controllers: [
        AdviceController,
        ChangesController,
        CapacityReportController,
        FlavorReportController,
        HistoryController,
        HostReportsController,
        InstanceReportsController,
        MapController,
        ProjectsController,
        RefusalsController,
      ],
      providers: [
        AdviceService,
        CapacityReportService,
        ChangeFeed,
        DecisionMentions,
        FindingsCache,
        FlavorFits,
        HistoryService,
        HostChanges,
        { provide: Lifecycle, useValue: lifecycle },
        option(CHANGE_RETENTION_SECONDS, ({ berth }) => berth.change_log_retention_seconds),
        option(HISTORY_INTERVAL_SECONDS, ({ berth }) => berth.history_interval_seconds),
        option(STRANDED_MAX_AGE_SECONDS, ({ berth }) => berth.stranded_max_age_seconds),
        HostDetailService,
        HostListService,
        InstanceCounts,
        InstanceListService,
        KnownNames,
        ProjectsService,
        RefusalsService,
      ],
      exports: [HistoryService],
    };
  }
}

const option = (provide: symbol, useFactory: (config: ReportsConfig) => unknown): Provider => ({
  provide,
  inject: [BERTH_CONFIG],
  useFactory,
});
