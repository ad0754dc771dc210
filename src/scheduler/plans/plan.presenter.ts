// The documents of plans: the list, one plan with the outcomes of its moves.
import { presentTime } from '../../compute/registry-page';
import { AMOUNTS } from '../../placement/allocations/allocations.responses';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import {
  ANYTHING,
  byName,
  COUNT,
  FLAG,
  listOf,
  NUMBER,
  oneOf,
  orNull,
  TEXT,
  TIME,
  UUID,
} from '../../platform/http/answer-schemas';
import type { Members } from '../../platform/http/shown';
import { documentOf } from '../../platform/http/shown';
import { closed } from '../../platform/microversion/versioned-schema';
import { addTo } from '../../platform/values/lists-by-key';
import type { PlanFigures } from '../../scheduling-rules/plans/plan';
import type { ListedPlan, MoveOutcome, StoredPlan } from './plan.entity';
import type { PlannedDocumentMove, PlanningInstance, UnmovableInstance } from './planning';
import { GOALS, OUTCOME_STATES } from './plans.schema';

const AGE_MS = SCHEDULER_LIMITS.planAgeSeconds * 1_000;

const HEAD: Members<ListedPlan> = {
  id: [UUID, ({ uuid }) => uuid],
  request_id: [TEXT, ({ requestId }) => requestId],
  created_at: [TIME, ({ createdAtMs }) => presentTime(createdAtMs)],
  expires_at: [TIME, ({ createdAtMs }) => presentTime(createdAtMs + AGE_MS)],
  goal: [oneOf(...GOALS), ({ head }) => head.goal],
  sentence: [TEXT, ({ head }) => head.sentence],
  complete: [FLAG, ({ head }) => head.isReached],
  outcomes: [
    closed({ waiting: COUNT, running: COUNT, done: COUNT, failed: COUNT, skipped: COUNT }),
    ({ head }) => head.outcomes,
  ],
};

const INSTANCE = closed({ uuid: UUID, name: orNull(TEXT), project_id: TEXT });
const HOST = closed({ host: TEXT, node: TEXT });

const presentInstance = ({ projectId, ...instance }: PlanningInstance): object => ({
  ...instance,
  project_id: projectId,
});

const OUTCOME = closed({ state: oneOf(...OUTCOME_STATES), at: TIME, message: orNull(TEXT), reason: orNull(TEXT) });

const MOVE = documentOf<PlannedDocumentMove & { readonly outcome: MoveOutcome | undefined }>('PlannedMove', {
  number: [COUNT, ({ number }) => number],
  stage: [COUNT, ({ stage }) => stage],
  after: [listOf(COUNT), ({ after }) => after],
  instance: [INSTANCE, ({ instance }) => presentInstance(instance)],
  source: [HOST, ({ source }) => source],
  target: [HOST, ({ target }) => target],
  amounts: [AMOUNTS, ({ amounts }) => amounts],
  reason: [TEXT, ({ reason }) => reason],
  outcome: [orNull(OUTCOME), ({ outcome }) => outcome ?? null],
});

function presentStages({ document, outcomes }: StoredPlan): readonly object[] {
  const stages = new Map<number, object[]>();
  for (const move of document.planned.moves) {
    addTo(stages, move.stage, MOVE.present({ ...move, outcome: outcomes[move.number] }));
  }
  return [...stages.values()];
}

const UNMOVABLE = documentOf<UnmovableInstance>('UnmovableInstance', {
  instance: [INSTANCE, ({ instance }) => presentInstance(instance)],
  host: [orNull(HOST), ({ host }) => host],
  sentence: [TEXT, ({ sentence }) => sentence],
  remedy: [orNull(TEXT), ({ remedy }) => remedy],
});

const FIGURES = documentOf<PlanFigures>('PlanFigures', {
  used_hosts: [COUNT, ({ usedHosts }) => usedHosts],
  empty_hosts: [COUNT, ({ emptyHosts }) => emptyHosts],
  highest_use: [NUMBER, ({ highestUse }) => highestUse],
  spread: [NUMBER, ({ spread }) => spread],
  places: [orNull(COUNT), ({ places }) => places],
});

export const PLAN = documentOf<StoredPlan>('MovePlan', {
  ...HEAD,
  ask: [byName(ANYTHING), ({ document }) => document.ask],
  hosts: [listOf(TEXT), ({ document }) => document.hosts],
  stages: [listOf(listOf(MOVE.schema)), presentStages],
  rounds: [listOf(closed({ hosts: listOf(TEXT), moves: COUNT })), ({ document }) => document.planned.rounds],
  cannot_move: [listOf(UNMOVABLE.schema), ({ document }) => document.planned.unmovable.map(UNMOVABLE.present)],
  bound: [orNull(COUNT), ({ document }) => document.planned.leastMoves],
  before: [FIGURES.schema, ({ document }) => FIGURES.present(document.planned.before)],
  after: [FIGURES.schema, ({ document }) => FIGURES.present(document.planned.after)],
  warnings: [listOf(TEXT), ({ document }) => document.planned.warnings],
  worked_ms: [NUMBER, ({ document }) => document.planned.workedMs],
  time_up: [FLAG, ({ document }) => document.planned.isTimeUp],
});

export const PLAN_HEAD = documentOf('PlanHead', HEAD);
