// Wiring of reports: read models over what is in memory already. Nothing here changes anything.
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { AllocationCandidatesModule } from '../allocation-candidates/allocation-candidates.module';
import { AllocationsModule } from '../allocations/allocations.module';
import { RegistriesConfigModule } from '../compute/registries-config.module';
import { InstanceCounts } from './cloud/instance-counts';
import { ReportedCloud } from './cloud/reported-cloud';
import { HostReportsController } from './hosts/host-reports.controller';

interface ReportsModuleInput {
  /** The one that the application runs. */
  readonly scheduler: DynamicModule;
}

@Module({})
export class ReportsModule {
  static forRoot({ scheduler }: ReportsModuleInput): DynamicModule {
    return {
      module: ReportsModule,
      imports: [AllocationCandidatesModule, AllocationsModule, RegistriesConfigModule, scheduler],
      controllers: [HostReportsController],
      providers: [InstanceCounts, ReportedCloud],
    };
  }
}
