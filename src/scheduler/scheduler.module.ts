// Wiring of the scheduler, with the adapters that bind its ports to this process.

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { ComputeModule } from '../compute/compute.module';
import { AllocationCandidatesModule } from '../placement/allocation-candidates/allocation-candidates.module';
import { AllocationCandidatesService } from '../placement/allocation-candidates/allocation-candidates.service';
import { AllocationsModule } from '../placement/allocations/allocations.module';
import type { SchedulerExtension } from '../scheduling-rules/pipeline/registry';
import { portsOf } from './adapters';
import { AfterDecisionController } from './after-decision/after-decision.controller';
import { AfterDecisionService } from './after-decision/after-decision.service';
import { SchedulerPipeline } from './assemble/scheduler-pipeline';
import { CapacityController } from './capacity/capacity.controller';
import { CloudReader } from './cloud/cloud-reader';
import { FlavorRequests } from './decide/flavor-requests';
import { DecisionCounters } from './decisions/decision-counters';
import type { DecisionStoreOptions } from './decisions/decision-store';
import { DECISION_STORE_OPTIONS, DecisionStore } from './decisions/decision-store';
import { DecisionsController } from './decisions/decisions.controller';
import { RequestFixes } from './decisions/request-fixes';
import type { SchedulerConfig } from './options';
import { PLAN_THREADS, PlanningService, planThreads } from './plans/planning.service';
import { PlansController } from './plans/plans.controller';
import { PlansService } from './plans/plans.service';
import { SnapshotReader } from './plans/snapshot-reader';
import { CONSUMER_STORE, HOST_SOURCE, REPORTED_HOSTS } from './ports';
import type { RemotePlacementSettings } from './remote-placement/remote-placement';
import { SchedulerController } from './scheduler.controller';
import { SchedulerService } from './scheduler.service';
import type { Simulations } from './simulate/simulated-text';
import { SimulationsHere } from './simulate/simulated-text';
import { SimulationThreads } from './simulate/simulation-threads';
import { SimulationController, SIMULATIONS } from './simulate/simulation.controller';
import { SimulationService } from './simulate/simulation.service';

interface SchedulerModuleInput {
  readonly pipeline: SchedulerPipeline;
  /** The plug-ins of the running configuration; simulations can enable their parts, too. */
  readonly plugins: readonly SchedulerExtension[];
  /** The base directory of relative plug-in paths. */
  readonly directory: string;
  readonly config: SchedulerConfig;
  /** Exports EXTERNAL_HOST_FACTS; null: hosts come from the registries. */
  readonly externalHosts: DynamicModule | null;
  /** Null: this process's own Placement. */
  readonly remotePlacement: RemotePlacementSettings | null;
}

@Module({})
export class SchedulerModule {
  static forRoot(input: SchedulerModuleInput): DynamicModule {
    const { pipeline, plugins, directory, config, externalHosts, remotePlacement } = input;
    const decisions: DecisionStoreOptions = {
      maxCount: config.berth.decisions_max_count,
      maxAgeSeconds: config.berth.decisions_max_age_seconds,
    };
    return {
      module: SchedulerModule,
      imports: [
        AllocationCandidatesModule,
        AllocationsModule,
        ComputeModule,
        ...(externalHosts === null ? [] : [externalHosts]),
      ],
      controllers: [
        SchedulerController,
        CapacityController,
        SimulationController,
        DecisionsController,
        AfterDecisionController,
        PlansController,
      ],
      providers: [
        SchedulerService,
        DecisionStore,
        DecisionCounters,
        CloudReader,
        AfterDecisionService,
        SnapshotReader,
        PlanningService,
        { provide: PLAN_THREADS, useFactory: () => planThreads(plugins, directory) },
        PlansService,
        FlavorRequests,
        {
          provide: RequestFixes,
          useFactory: (...parts: ConstructorParameters<typeof RequestFixes>) => new RequestFixes(...parts),
          inject: [AllocationCandidatesService, SchedulerService, REPORTED_HOSTS],
        },
        { provide: DECISION_STORE_OPTIONS, useValue: decisions },
        { provide: SchedulerPipeline, useValue: pipeline },
        {
          provide: SIMULATIONS,
          useFactory: () => simulationsOf({ plugins, directory, version: pipeline.options.version }),
        },
        ...portsOf(config, remotePlacement),
      ],
      exports: [
        SchedulerService,
        AfterDecisionService,
        DecisionStore,
        DecisionCounters,
        CloudReader,
        FlavorRequests,
        SchedulerPipeline,
        HOST_SOURCE,
        REPORTED_HOSTS,
        CONSUMER_STORE,
      ],
    };
  }
}

const THREAD = join(__dirname, 'simulate', 'simulation.worker.js');

/** In worker threads if the compiled script exists; otherwise, when running from source, in this thread. */
function simulationsOf({
  plugins,
  directory,
  version,
}: Pick<SchedulerModuleInput, 'plugins' | 'directory'> & { readonly version: string }): Simulations {
  if (!existsSync(THREAD)) return new SimulationsHere(new SimulationService(plugins, version));
  return new SimulationThreads(THREAD, { plugins: plugins.map(({ source }) => source), directory, version });
}
