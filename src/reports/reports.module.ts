// Wiring of reports: read models over what is in memory already. Nothing here changes anything.
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { AllocationCandidatesModule } from '../allocation-candidates/allocation-candidates.module';
import { AllocationsModule } from '../allocations/allocations.module';
import { ImagesModule } from '../compute/images/images.module';
import { InstancesModule } from '../compute/instances/instances.module';
import { RegistriesConfigModule } from '../compute/registries-config.module';
import { ServerGroupsModule } from '../compute/server-groups/server-groups.module';
import type { BerthConfig } from '../config/berth-config';
import { BERTH_CONFIG } from '../config/config.module';
import { Lifecycle } from '../operations/lifecycle';
import { AdviceController } from './advice/advice.controller';
import { AdviceService } from './advice/advice.service';
import { CHANGE_FEED_OPTIONS, ChangeFeed } from './changes/change-feed';
import type { ChangeFeedOptions } from './changes/change-feed';
import { ChangesController } from './changes/changes.controller';
import { InstanceCounts } from './cloud/instance-counts';
import { ReportedCloud } from './cloud/reported-cloud';
import { HostReportsController } from './hosts/host-reports.controller';
import { RefusalsController } from './refusals/refusals.controller';
import { RefusalsService } from './refusals/refusals.service';

interface ReportsModuleInput {
  /** The one that the application runs. */
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
        ImagesModule,
        InstancesModule,
        RegistriesConfigModule,
        ServerGroupsModule,
        scheduler,
      ],
      controllers: [HostReportsController, AdviceController, ChangesController, RefusalsController],
      providers: [
        InstanceCounts,
        ReportedCloud,
        AdviceService,
        ChangeFeed,
        RefusalsService,
        { provide: Lifecycle, useValue: lifecycle },
        {
          provide: CHANGE_FEED_OPTIONS,
          inject: [BERTH_CONFIG],
          useFactory: ({ berth }: BerthConfig): ChangeFeedOptions => ({
            retentionSeconds: berth.change_log_retention_seconds,
          }),
        },
      ],
    };
  }
}
