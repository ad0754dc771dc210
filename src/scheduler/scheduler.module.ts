// Wiring of the scheduler. Whoever registers it brings the adapters of its ports.

import { Module } from '@nestjs/common';
import type { DynamicModule, ModuleMetadata, Provider } from '@nestjs/common';
import { AfterDecisionController } from './after-decision/after-decision.controller';
import { AfterDecisionService } from './after-decision/after-decision.service';
import { CapacityController } from './capacity/capacity.controller';
import { DECISION_STORE_OPTIONS, DecisionStore } from './decisions/decision-store';
import type { DecisionStoreOptions } from './decisions/decision-store';
import { DecisionsController } from './decisions/decisions.controller';
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
  readonly decisions: DecisionStoreOptions;
  /** Providers of CANDIDATE_SOURCE, HOST_SOURCE, CLAIMS and SCHEDULER_ENVIRONMENT. */
  readonly ports: readonly Provider[];
  /** Modules those providers need. */
  readonly imports?: NonNullable<ModuleMetadata['imports']>;
}

@Module({})
export class SchedulerModule {
  static register({ pipeline, plugins, decisions, ports, imports = [] }: SchedulerModuleInput): DynamicModule {
    return {
      module: SchedulerModule,
      imports,
      controllers: [
        SchedulerController,
        CapacityController,
        SimulationController,
        DecisionsController,
        AfterDecisionController,
      ],
      providers: [
        SchedulerService,
        DecisionStore,
        AfterDecisionService,
        { provide: DECISION_STORE_OPTIONS, useValue: decisions },
        { provide: SCHEDULER_PIPELINE, useValue: pipeline },
        {
          provide: SimulationService,
          useFactory: () => new SimulationService(plugins, pipeline.options.version),
        },
        ...ports,
      ],
      exports: [SchedulerService, DecisionStore, SCHEDULER_PIPELINE],
    };
  }
}
