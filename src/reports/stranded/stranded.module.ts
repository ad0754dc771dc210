// Wiring of the stranded amounts: one cache for all reports.
import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { BERTH_CONFIG } from '../../platform/config/config.module';
import type { ReportsConfig } from '../options';
import { FindingsCache, STRANDED_MAX_AGE_SECONDS } from './findings-cache';

@Module({})
export class StrandedModule {
  static forRoot(scheduler: DynamicModule): DynamicModule {
    return {
      module: StrandedModule,
      imports: [scheduler],
      providers: [
        FindingsCache,
        {
          provide: STRANDED_MAX_AGE_SECONDS,
          inject: [BERTH_CONFIG],
          useFactory: ({ berth }: ReportsConfig): number => berth.stranded_max_age_seconds,
        },
      ],
      exports: [FindingsCache],
    };
  }
}
