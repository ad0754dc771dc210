// Wiring of reports: read models over data in memory. Reports change no data.
import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { InstancesModule } from '../compute/instances/instances.module';
import { RegistriesConfigModule } from '../compute/registries-config.module';
import { AllocationCandidatesModule } from '../placement/allocation-candidates/allocation-candidates.module';
import { AllocationsModule } from '../placement/allocations/allocations.module';
import { ResourceClassesModule } from '../placement/resource-classes/resource-classes.module';
import { ResourceProvidersModule } from '../placement/resource-providers/resource-providers.module';
import { TraitsModule } from '../placement/traits/traits.module';
import { BERTH_CONFIG } from '../platform/config/config.module';
import type { Lifecycle } from '../platform/operations/lifecycle';
import { AdviceModule } from './advice/advice.module';
import { CapacityReportController } from './capacity/capacity-report.controller';
import { CapacityReportService } from './capacity/capacity-report.service';
import { ChangesModule } from './changes/changes.module';
import { InstanceCounts } from './cloud/instance-counts';
import { KnownNames } from './cloud/known-names';
import { FlavorFits } from './fit/flavor-fits';
import { FlavorReportController } from './flavors/flavor-report.controller';
import { HistoryController } from './history/history.controller';
import { HISTORY_INTERVAL_SECONDS, HistoryService } from './history/history.service';
import { DecisionMentions } from './hosts/decision-mentions';
import { HostDetailService } from './hosts/host-detail.service';
import { HostListService } from './hosts/host-list.service';
import { HostReportsController } from './hosts/host-reports.controller';
import { InstanceListService } from './instances/instance-list.service';
import { InstanceReportsController } from './instances/instance-reports.controller';
import { MapController } from './map/map.controller';
import type { ReportsConfig } from './options';
import { RefusalsModule } from './refusals/refusals.module';
import { StrandedModule } from './stranded/stranded.module';

interface ReportsModuleInput {
  /** The scheduler of the application. */
  readonly scheduler: DynamicModule;
  readonly lifecycle: Lifecycle;
}

@Module({})
export class ReportsModule {
  static forRoot({ scheduler, lifecycle }: ReportsModuleInput): DynamicModule {
    const stranded = StrandedModule.forRoot(scheduler);
    return {
      module: ReportsModule,
      imports: [
        AllocationCandidatesModule,
        AllocationsModule,
        InstancesModule,
        RegistriesConfigModule,
        ResourceProvidersModule,
        ResourceClassesModule,
        TraitsModule,
        scheduler,
        stranded,
        AdviceModule.forRoot(scheduler, stranded),
        ChangesModule.forRoot(scheduler, lifecycle),
        RefusalsModule.forRoot(scheduler),
      ],
      controllers: [
        CapacityReportController,
        FlavorReportController,
        HistoryController,
        HostReportsController,
        InstanceReportsController,
        MapController,
      ],
      providers: [
        CapacityReportService,
        DecisionMentions,
        FlavorFits,
        HistoryService,
        {
          provide: HISTORY_INTERVAL_SECONDS,
          inject: [BERTH_CONFIG],
          useFactory: ({ berth }: ReportsConfig): number => berth.history_interval_seconds,
        },
        HostDetailService,
        HostListService,
        InstanceCounts,
        InstanceListService,
        KnownNames,
      ],
    };
  }
}
