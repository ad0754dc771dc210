// Wiring of the scheduler. Whoever registers it brings the adapters of its ports.

import { Module } from '@nestjs/common';
import type { DynamicModule, ModuleMetadata, Provider } from '@nestjs/common';
import { CapacityController } from './capacity/capacity.controller';
import type { SchedulerExtension } from './pipeline/registry';
import { SchedulerController } from './scheduler.controller';
import { SCHEDULER_PIPELINE } from './scheduler.pipeline';
import type { SchedulerPipeline } from './scheduler.pipeline';
import { SchedulerService } from './scheduler.service';
import { SimulationController } from './simulate/simulation.controller';
import { SimulationService } from './simulate/simulation.service';

export interface SchedulerModuleInput {
  readonly pipeline: SchedulerPipeline;
  /** Those of the running configuration; simulations may enable their parts as well. */
  readonly plugins: readonly SchedulerExtension[];
  /** Providers of CANDIDATE_SOURCE, HOST_SOURCE, CLAIMS and SCHEDULER_ENVIRONMENT. */
  readonly ports: readonly Provider[];
  /** Modules those providers need. */
  readonly imports?: NonNullable<ModuleMetadata['imports']>;
}

@Module({})
export class SchedulerModule {
  static register({ pipeline, plugins, ports, imports = [] }: SchedulerModuleInput): DynamicModule {
    return {
      module: SchedulerModule,
      imports,
      controllers: [SchedulerController, CapacityController, SimulationController],
      providers: [
        SchedulerService,
        { provide: SCHEDULER_PIPELINE, useValue: pipeline },
        {
          provide: SimulationService,
          useFactory: () => new SimulationService(plugins, pipeline.options.version),
        },
        ...ports,
      ],
      exports: [SchedulerService, SCHEDULER_PIPELINE],
    };
  }
}
