// Wiring: which parts hand in which numbers.
import { Module } from '@nestjs/common';
import type { DynamicModule } from '@nestjs/common';
import { AllocationCandidatesModule } from '../allocation-candidates/allocation-candidates.module';
import { AllocationCandidatesService } from '../allocation-candidates/allocation-candidates.service';
import { GraphSource } from '../allocation-candidates/graph-source';
import { AllocationsModule } from '../allocations/allocations.module';
import { RegistriesConfigModule } from '../compute/registries-config.module';
import { ClaimTally } from '../allocations/claim-tally';
import { Database } from '../database/database';
import type { Admission } from '../http/admission';
import type { RequestTally } from '../http/request-tally';
import { LOGGER } from '../logging/logger.token';
import type { WarnLog } from '../logging/logger.token';
import { WorkerChannel } from '../operations/worker-channel';
import { DecisionStore } from '../scheduler/decisions/decision-store';
import { DecisionTally } from '../scheduler/decisions/decision-tally';
import { VERSION } from '../version';
import { capacityMetrics } from './capacity.metrics';
import { CapacityTables } from './capacity-table';
import { claimMetrics } from './claims.metrics';
import { databaseMetrics } from './database.metrics';
import { decisionMetrics } from './decisions.metrics';
import { graphMetrics } from './graph.metrics';
import { httpMetrics } from './http.metrics';
import { Metrics } from './metrics';
import { MetricsController } from './metrics.controller';
import { MetricsService } from './metrics.service';
import { buildMetrics } from './process.metrics';
import { searchMetrics } from './searches.metrics';
import { shareMetrics } from './shares.metrics';

interface MetricsModuleInput {
  readonly admission: Admission;
  readonly requests: RequestTally;
  /** The one that the application runs. */
  readonly scheduler: DynamicModule;
  readonly workers: WorkerChannel;
}

@Module({})
export class MetricsModule {
  static forRoot({ admission, requests, scheduler, workers }: MetricsModuleInput): DynamicModule {
    return {
      module: MetricsModule,
      imports: [AllocationCandidatesModule, AllocationsModule, RegistriesConfigModule, scheduler],
      controllers: [MetricsController],
      providers: [
        CapacityTables,
        MetricsService,
        { provide: WorkerChannel, useValue: workers },
        {
          provide: Metrics,
          inject: [
            Database,
            GraphSource,
            AllocationCandidatesService,
            ClaimTally,
            DecisionTally,
            DecisionStore,
            CapacityTables,
            LOGGER,
          ],
          useFactory: (
            db: Database,
            graphs: GraphSource,
            candidates: AllocationCandidatesService,
            claims: ClaimTally,
            decisions: DecisionTally,
            store: DecisionStore,
            capacity: CapacityTables,
            log: WarnLog,
          ) =>
            new Metrics(
              [
                ...buildMetrics({ version: VERSION, database: db.dialect.name }),
                ...httpMetrics(requests),
                ...claimMetrics(claims),
                ...searchMetrics(candidates.tally),
                ...shareMetrics(admission),
                ...decisionMetrics(decisions, store),
                ...graphMetrics(graphs),
                ...capacityMetrics(capacity),
                ...databaseMetrics(db),
              ],
              log,
            ),
        },
      ],
      exports: [Metrics],
    };
  }
}
