// Wiring of the scheduler. Whoever registers it brings the adapters of its ports.

import { Module } from '@nestjs/common';
import type { DynamicModule, ModuleMetadata, Provider } from '@nestjs/common';
import { SchedulerController } from './scheduler.controller';
import { SCHEDULER_PIPELINE } from './scheduler.pipeline';
import type { SchedulerPipeline } from './scheduler.pipeline';
import { SchedulerService } from './scheduler.service';

export interface SchedulerModuleInput {
  readonly pipeline: SchedulerPipeline;
  /** Providers of CANDIDATE_SOURCE, HOST_SOURCE, CLAIMS and SCHEDULER_ENVIRONMENT. */
  readonly ports: readonly Provider[];
  /** Modules those providers need. */
  readonly imports?: NonNullable<ModuleMetadata['imports']>;
}

@Module({})
export class SchedulerModule {
  static register({ pipeline, ports, imports = [] }: SchedulerModuleInput): DynamicModule {
    return {
      module: SchedulerModule,
      imports,
      controllers: [SchedulerController],
      providers: [SchedulerService, { provide: SCHEDULER_PIPELINE, useValue: pipeline }, ...ports],
      exports: [SchedulerService, SCHEDULER_PIPELINE],
    };
  }
}
