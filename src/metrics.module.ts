// Wiring: which parts hand in which numbers.
import type { DynamicModule } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { ComputeModule } from './compute/compute.module';
import { NovaService } from './nova/nova-service';
import { novaMetrics } from './nova/nova.metrics';
import { AllocationCandidatesModule } from './placement/allocation-candidates/allocation-candidates.module';
import { AllocationCandidatesService } from './placement/allocation-candidates/allocation-candidates.service';
import { GraphSource } from './placement/allocation-candidates/graph-source';
import { graphMetrics } from './placement/allocation-candidates/graph.metrics';
import { searchMetrics } from './placement/allocation-candidates/searches.metrics';
import { AllocationsModule } from './placement/allocations/allocations.module';
import { ClaimCounters } from './placement/allocations/claim-counters';
import { claimMetrics } from './placement/allocations/claims.metrics';
import { Database } from './platform/database/database';
import type { Admission } from './platform/http/admission';
import type { RequestCounters } from './platform/http/request-counters';
import type { WarnLog } from './platform/logging/logger.token';
import { LOGGER } from './platform/logging/logger.token';
import { databaseMetrics } from './platform/metrics/database.metrics';
import { httpMetrics } from './platform/metrics/http.metrics';
import { Metrics } from './platform/metrics/metrics';
import { MetricsController } from './platform/metrics/metrics.controller';
import { MetricsService } from './platform/metrics/metrics.service';
import { buildMetrics } from './platform/metrics/process.metrics';
import { shareMetrics } from './platform/metrics/shares.metrics';
import { VERSION } from './platform/version';
import { CapacityTables } from './reports/capacity/capacity-table';
import { capacityMetrics } from './reports/capacity/capacity.metrics';
import { DecisionCounters } from './scheduler/decisions/decision-counters';
import { DecisionStore } from './scheduler/decisions/decision-store';
import { decisionMetrics } from './scheduler/decisions/decisions.metrics';

interface MetricsModuleInput {
  readonly admission: Admission;
  readonly requests: RequestCounters;
  /** The one that the application runs. */
  readonly scheduler: DynamicModule;
  /** Null: the service is not in the place of nova-scheduler. */
  readonly nova: DynamicModule | null;
}

@Module({})
export class MetricsModule {
  static forRoot({ admission, requests, scheduler, nova }: MetricsModuleInput): DynamicModule {
    return {
      module: MetricsModule,
      imports: [
        AllocationCandidatesModule,
        AllocationsModule,
        ComputeModule,
        scheduler,
        ...(nova === null ? [] : [nova]),
      ],
      controllers: [MetricsController],
      providers: [
        CapacityTables,
        MetricsService,
        {
          provide: Metrics,
          inject: [
            Database,
            GraphSource,
            AllocationCandidatesService,
            ClaimCounters,
            DecisionCounters,
            DecisionStore,
            CapacityTables,
            LOGGER,
            { token: NovaService, optional: true },
          ],
          useFactory: (
            db: Database,
            graphs: GraphSource,
            candidates: AllocationCandidatesService,
            claims: ClaimCounters,
            decisions: DecisionCounters,
            store: DecisionStore,
            capacity: CapacityTables,
            log: WarnLog,
            novaService?: NovaService,
          ) =>
            new Metrics(
              [
                ...buildMetrics({ version: VERSION, database: db.dialect.name }),
                ...httpMetrics(requests),
                ...claimMetrics(claims),
                ...searchMetrics(candidates.counters),
                ...shareMetrics(admission),
                ...decisionMetrics(decisions, store),
                ...graphMetrics(graphs),
                ...capacityMetrics(capacity),
                ...databaseMetrics(db),
                ...novaMetrics(novaService ?? null),
              ],
              log,
            ),
        },
      ],
      exports: [Metrics],
    };
  }
}
