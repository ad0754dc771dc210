// Wiring of the scheduler. Whoever registers it brings the adapters of its ports.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
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
import { SimulationsHere } from './simulate/simulated-text';
import type { Simulations } from './simulate/simulated-text';
import { SimulationThreads } from './simulate/simulation-threads';
import { SIMULATIONS, SimulationController } from './simulate/simulation.controller';
import { SimulationService } from './simulate/simulation.service';

export interface SchedulerModuleInput {
  readonly pipeline: SchedulerPipeline;
  /** Those of the running configuration; simulations may enable their parts as well. */
  readonly plugins: readonly SchedulerExtension[];
  /** Where the paths of plug-ins start. */
  readonly directory: string;
  readonly decisions: DecisionStoreOptions;
  /** Providers of CANDIDATE_SOURCE, HOST_SOURCE, CLAIMS and SCHEDULER_ENVIRONMENT. */
  readonly ports: readonly Provider[];
  /** Modules those providers need. */
  readonly imports?: NonNullable<ModuleMetadata['imports']>;
}

@Module({})
export class SchedulerModule {
  static register({
    pipeline,
    plugins,
    directory,
    decisions,
    ports,
    imports = [],
  }: SchedulerModuleInput): DynamicModule {
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
          provide: SIMULATIONS,
          useFactory: () => simulationsOf({ plugins, directory, version: pipeline.options.version }),
        },
        ...ports,
      ],
      exports: [SchedulerService, DecisionStore, SCHEDULER_PIPELINE],
    };
  }
}

const THREAD = join(__dirname, 'simulate', 'simulation.worker.js');

/** In threads, where there is a script for them: sources that are run without having been built have none. */
function simulationsOf({
  plugins,
  directory,
  version,
}: Pick<SchedulerModuleInput, 'plugins' | 'directory'> & { readonly version: string }): Simulations {
  if (!existsSync(THREAD)) return new SimulationsHere(new SimulationService(plugins, version));
  return new SimulationThreads(THREAD, { plugins: plugins.map(({ source }) => source), directory, version });
}
