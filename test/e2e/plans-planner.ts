// Plans for suites that need certain ones: replaces the planner of a service by fixed documents.
import type { PlanCommand, PlannedDocument, PlannedDocumentMove } from '../../src/scheduler/plans/planning';
import { PlanningService } from '../../src/scheduler/plans/planning.service';
import type { TestService } from '../support/service';

const FIGURES = { usedHosts: 3, emptyHosts: 1, highestUse: 0.5, spread: 12.5, places: null };

export const planned = (part: Partial<PlannedDocument> = {}): PlannedDocument => ({
  isReached: true,
  leastMoves: null,
  isTimeUp: false,
  workedMs: 3,
  decisions: 4,
  moves: [],
  unmovable: [],
  rounds: [],
  before: FIGURES,
  after: { ...FIGURES, usedHosts: 2, emptyHosts: 2, spread: 6.25 },
  warnings: [],
  ...part,
});

/** A move from `h1` unless it is said otherwise. */
export const move = (
  number: number,
  uuid: string,
  target: string,
  { stage = 1, after = [], source = 'h1' }: { stage?: number; after?: readonly number[]; source?: string } = {},
): PlannedDocumentMove => ({
  number,
  stage,
  after,
  instance: { uuid, name: `vm-${number}`, projectId: 'p' },
  source: { host: source, node: source },
  target: { host: target, node: target },
  amounts: { VCPU: 1 },
  reason: `${target} has the most free memory.`,
  hasRequest: true,
});

/** Each planning takes the next document; the last one stays. Returns the commands that were planned. */
export function plansWith(service: TestService, ...documents: readonly PlannedDocument[]): readonly PlanCommand[] {
  const commands: PlanCommand[] = [];
  jest.spyOn(service.app.get(PlanningService, { strict: false }), 'plan').mockImplementation((command) => {
    commands.push(command);
    return Promise.resolve(documents[Math.min(commands.length, documents.length) - 1] ?? planned());
  });
  return commands;
}
