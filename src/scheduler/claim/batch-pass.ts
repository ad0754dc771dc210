// One pass of the pipeline for one instance of a batch: the pre-selection, then the driver.

import { assert } from '../../platform/values/assert';
import type { Task } from '../../platform/values/task';
import type { HostState } from '../../scheduling-rules/host-state/host-state';
import type { HostName, PassRecord } from '../../scheduling-rules/pipeline/decision';
import type { DriverAnswer } from '../../scheduling-rules/pipeline/define-driver';
import { driverTask } from '../../scheduling-rules/pipeline/define-driver';
import { preselect } from '../../scheduling-rules/pipeline/preselect';
import type { StageRecord } from '../../scheduling-rules/pipeline/run-filters';
import type { RequestSpec } from '../../scheduling-rules/request-spec/request-spec';
import type { DecisionRun } from '../decide/decision-run';
import type { BatchProgress } from './batch-progress';
import type { ClaimLog } from './claim-log';

/** The hosts in the order of the attempts, and the stages that rejected the others. */
export interface BatchPass {
  readonly index: number;
  readonly spec: RequestSpec;
  readonly stages: readonly StageRecord[];
  readonly answer: DriverAnswer;
  /** The number of hosts that passed, if the order has the best of them only. */
  readonly ranked?: number;
}

/** Law: every host of the batch is rejected by one stage, or is in the order. */
export function* runPass(run: DecisionRun, progress: BatchProgress, index: number): Task<BatchPass> {
  const { parts, options } = run.pipeline;
  const spec = progress.specOf(index);
  const { survivors, stage, skipsFilters } = preselect(progress.hosts, spec, index === 0 ? progress.unknown : []);
  const answer = yield* driverTask(parts.driver, {
    hosts: survivors,
    spec,
    index,
    mode: run.command.mode ?? 'first',
    filters: skipsFilters ? [] : parts.filters,
    weighers: parts.weighers,
    selection: options,
    values: options.values,
    random: progress.random,
    env: run.env,
    chosen: progress.takenHosts,
  });
  const rejected = answer.stages.reduce((sum, each) => sum + each.rejected.length, 0);
  assert(survivors.length === rejected + answer.order.length, 'a driver rejects or orders every host it was given');
  return { index, spec, stages: [stage, ...answer.stages], answer };
}

/** The pass as the decision shows it. */
export function recordOfPass(
  { index, spec, stages, answer, ranked }: BatchPass,
  phase: PassRecord['phase'],
  claims: ClaimLog,
  selected: HostState | undefined,
): PassRecord {
  return {
    index,
    instanceUuid: spec.instanceUuid,
    phase,
    stages,
    notes: answer.notes ?? [],
    weighers: answer.weighers,
    ranking: answer.order,
    ...(ranked !== undefined && { ranked }),
    drawnFrom: answer.drawnFrom,
    claims: claims.kept,
    ...(claims.isCut && { claimCounts: claims.counts }),
    selected: selected === undefined ? null : nameOf(selected),
    alternates: [],
  };
}

export const nameOf = ({ host, node }: HostState): HostName => ({ host, node });
