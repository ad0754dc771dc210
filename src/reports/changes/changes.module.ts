import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { RegistriesConfigModule } from '../../compute/registries-config.module';
import { AllocationCandidatesModule } from '../../placement/allocation-candidates/allocation-candidates.module';
import { BERTH_CONFIG } from '../../platform/config/config.module';
import type { PlatformConfig } from '../../platform/config/platform-config';
import { Lifecycle } from '../../platform/operations/lifecycle';
import type { ChangeFeedOptions } from './change-feed';
import { CHANGE_FEED_OPTIONS, ChangeFeed } from './change-feed';
import { ChangesController } from './changes.controller';

@Module({})
export class ChangesModule {
  static forRoot(scheduler: DynamicModule, lifecycle: Lifecycle): DynamicModule {
    return {
      module: ChangesModule,
      imports: [AllocationCandidatesModule, RegistriesConfigModule, scheduler],
      controllers: [ChangesController],
      providers: [
        ChangeFeed,
        { provide: Lifecycle, useValue: lifecycle },
        {
          provide: CHANGE_FEED_OPTIONS,
          inject: [BERTH_CONFIG],
          useFactory: ({ berth }: PlatformConfig): ChangeFeedOptions => ({
            retentionSeconds: berth.change_log_retention_seconds,
          }),
        },
      ],
    };
  }
}
