// Makes the plan that a command asks for, from a snapshot. Runs in a planning thread, or in a process without one.
import { invalidField } from '../../compute/registry-refusals';
import { DomainError } from '../../platform/values/errors';
import { addTo } from '../../platform/values/lists-by-key';
import type { SchedulerExtension } from '../../scheduling-rules/pipeline/registry';
import { figuresOf } from '../../scheduling-rules/plans/figures';
import type { Plan, PlanAsk, PlanGoal, PlanLimits, PlannedMove } from '../../scheduling-rules/plans/plan';
import type { PlanCloud } from '../../scheduling-rules/plans/plan-cloud';
import { plan as planned } from '../../scheduling-rules/plans/planner';
import { planWaves } from '../../scheduling-rules/plans/waves';
import { cloudOf } from './build-cloud';
import type { CloudSnapshot } from './cloud-snapshot';
import type { PlanCommand, PlannedDocument, PlanningHost, PlanningInstance } from './planning';

export interface PlanTask {
  readonly snapshot: CloudSnapshot;
  readonly command: PlanCommand;
}

export type PlanReply = { readonly document: PlannedDocument } | { readonly refusal: string };

/** Refuses a name that the cloud does not have. */
export async function replyTo(task: PlanTask, plugins: readonly SchedulerExtension[]): Promise<PlanReply> {
  try {
    return { document: await makePlan(task, plugins) };
  } catch (error) {
    if (error instanceof DomainError) return { refusal: error.message };
    throw error;
  }
}

async function makePlan(
  { snapshot, command }: PlanTask,
  plugins: readonly SchedulerExtension[],
): Promise<PlannedDocument> {
  const cloud = cloudOf(snapshot, plugins);
  const ask = askOf(cloud, command);
  const startedAt = performance.now();
  const isTimeUp = (): boolean => performance.now() - startedAt >= command.timeLimitMs;
  const limits = { isTimeUp, pause };
  const { plan, rounds } =
    command.goal === 'waves'
      ? await inWaves(cloud, ask, command, limits)
      : { plan: await planned(cloud, ask, limits), rounds: [] };
  const hostOf = (at: number): PlanningHost => {
    const { host = '', node = '' } = cloud.hosts[at] ?? {};
    return { host, node };
  };
  const instanceOf = (at: number): PlanningInstance => {
    const { uuid = '', name = null, projectId = '' } = cloud.instances[at] ?? {};
    return { uuid, name, projectId };
  };
  const { moves, unmovable, ...reached } = plan;
  return {
    ...reached,
    workedMs: Math.round(performance.now() - startedAt),
    decisions: cloud.decisions,
    moves: moves.map((move, at) => ({
      number: at + 1,
      stage: move.stage + 1,
      after: move.after.map((position) => position + 1),
      instance: instanceOf(move.instance),
      source: hostOf(move.source),
      target: hostOf(move.target),
      amounts: cloud.instances[move.instance]?.amounts ?? {},
      reason: move.reason,
      hasRequest: cloud.instances[move.instance]?.hasRequest ?? true,
    })),
    unmovable: unmovable.map(({ instance, sentence, remedy }) => {
      const host = cloud.hostOf(instance);
      return { instance: instanceOf(instance), host: host === null ? null : hostOf(host), sentence, remedy };
    }),
    rounds,
    warnings: warningsOf(cloud, plan),
  };
}

/** The rounds as one plan: stages and positions count on from round to round. */
async function inWaves(
  cloud: PlanCloud,
  ask: PlanAsk,
  { hosts: names, atATime }: PlanCommand,
  limits: PlanLimits,
): Promise<{ readonly plan: Plan } & Pick<PlannedDocument, 'rounds'>> {
  const before = figuresOf(cloud, null);
  const hosts = hostNumbers(cloud, names, 'hosts');
  const { rounds, leastRounds, left, unmovable, isTimeUp } = await planWaves(cloud, hosts, atATime, ask, limits);
  const moves: PlannedMove[] = [];
  for (const { plan } of rounds) {
    const first = moves.length;
    const stage = Math.max(-1, ...moves.map((move) => move.stage)) + 1;
    for (const move of plan.moves) {
      moves.push({ ...move, stage: move.stage + stage, after: move.after.map((position) => position + first) });
    }
  }
  const shown = rounds.map((round) => ({
    hosts: [...new Set(round.hosts.map((at) => cloud.hosts[at]?.host ?? ''))],
    moves: round.plan.moves.length,
  }));
  const after = rounds.at(-1)?.plan.after ?? before;
  const plan = { moves, unmovable, isReached: left.length === 0, leastMoves: leastRounds, before, after, isTimeUp };
  return { plan, rounds: shown };
}

const pause = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

function askOf(cloud: PlanCloud, command: PlanCommand): PlanAsk {
  const { stay, maxMoves, maxMovesPerHost, minGain, seed } = command;
  const uuids = cloud.instances.map(({ uuid }) => uuid);
  const projects = cloud.instances.map(({ projectId }) => projectId);
  const staying = new Set([
    ...numbersOf(uuids, stay.instances, 'stay.instances', (uuid) => `${uuid}, which no host runs`),
    ...numbersOf(projects, stay.projects, 'stay.projects', (project) => `${project}, which has no instances`),
  ]);
  const untouched = new Set(hostNumbers(cloud, stay.hosts, 'stay.hosts'));
  return { goal: goalOf(cloud, command), staying, untouched, maxMoves, maxMovesPerHost, minGain, seed };
}

function goalOf(cloud: PlanCloud, { goal, hosts, flavor, count, classes, over }: PlanCommand): PlanGoal {
  if (goal === 'drain' || goal === 'waves') return { kind: 'drain', hosts: hostNumbers(cloud, hosts, 'hosts') };
  if (goal === 'pack') return { kind: goal, flavor };
  if (goal === 'room') {
    if (flavor === null) throw invalidField('flavor', 'must be given to make room for it');
    return { kind: goal, flavor, count };
  }
  numbersOf(cloud.resources, classes, 'resource_classes', (name) => `${name}, of which no host has an inventory`);
  return { kind: goal, classes, over };
}

/** All nodes of these service hosts. */
function hostNumbers(cloud: PlanCloud, names: readonly string[], field: string): readonly number[] {
  const hosts = cloud.hosts.map(({ host }) => host);
  return numbersOf(hosts, names, field, (host) => `'${host}', which is not a host`);
}

/** The positions of the names in the keys, all of each. */
function numbersOf(
  keys: readonly string[],
  names: readonly string[],
  field: string,
  unknown: (name: string) => string,
): readonly number[] {
  const numbers = new Map<string, number[]>();
  for (const [at, key] of keys.entries()) addTo(numbers, key, at);
  return names.flatMap((name, at) => {
    const found = numbers.get(name);
    if (found === undefined) throw invalidField(`${field}.${at}`, `is ${unknown(name)}`);
    return found;
  });
}

function warningsOf(cloud: PlanCloud, { moves }: Plan): readonly string[] {
  const guessed = moves.filter(({ instance }) => cloud.instances[instance]?.hasRequest === false).length;
  if (guessed === 0) return [];
  const many = guessed === 1 ? '1 move is of an instance' : `${guessed} moves are of instances`;
  return [
    `${many} without a recorded request: traits, images and hints are not known, only the allocations, the zone and the group.`,
  ];
}
