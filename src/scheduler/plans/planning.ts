// What a planning is asked and answers: data only.
import type { Plan, PlanAsk, Unmovable } from '../../scheduling-rules/plans/plan';
import type { PlanHost, PlanInstance } from '../../scheduling-rules/plans/plan-cloud';

export interface PlanCommand extends Omit<PlanAsk, 'goal' | 'staying' | 'untouched'> {
  readonly goal: 'drain' | 'waves' | 'room' | 'balance' | 'pack';
  /** Names of service hosts to drain; empty for other goals. */
  readonly hosts: readonly string[];
  /** Of waves: hosts of one round. */
  readonly atATime: number;
  /** Name or id of a registered flavor, or a flavor document; null: none. */
  readonly flavor: object | string | null;
  /** Of instances that must fit; null: as many as can be. */
  readonly count: number | null;
  /** Resource classes to balance. */
  readonly classes: readonly string[];
  readonly over: 'hosts' | 'zones';
  /** What must not change: these instances, the instances of these projects, and the instances of these hosts. */
  readonly stay: {
    readonly instances: readonly string[];
    readonly hosts: readonly string[];
    readonly projects: readonly string[];
  };
  /** For the planning itself, without the reading of the cloud. */
  readonly timeLimitMs: number;
}

export type PlanningInstance = Pick<PlanInstance, 'uuid' | 'name' | 'projectId'>;
export type PlanningHost = Pick<PlanHost, 'host' | 'node'>;

export interface PlannedDocumentMove extends Pick<PlanInstance, 'amounts' | 'hasRequest'> {
  /** From 1, in the order of the start. */
  readonly number: number;
  /** From 1; the moves of a stage can run side by side in any order. */
  readonly stage: number;
  /** Numbers of the moves that must have ended before this one starts. */
  readonly after: readonly number[];
  readonly instance: PlanningInstance;
  readonly source: PlanningHost;
  readonly target: PlanningHost;
  /** One sentence: why this target. */
  readonly reason: string;
}

export interface UnmovableInstance extends Omit<Unmovable, 'instance'> {
  readonly instance: PlanningInstance;
  readonly host: PlanningHost | null;
}

export interface PlannedDocument extends Omit<Plan, 'moves' | 'unmovable'> {
  readonly workedMs: number;
  /** How often the scheduler was asked. */
  readonly decisions: number;
  readonly moves: readonly PlannedDocumentMove[];
  readonly unmovable: readonly UnmovableInstance[];
  /** Of waves: the hosts that a round empties, and the number of its moves. The moves are in the order of the rounds. */
  readonly rounds: readonly { readonly hosts: readonly string[]; readonly moves: number }[];
  /** One sentence each: what the plan did not judge. */
  readonly warnings: readonly string[];
}
