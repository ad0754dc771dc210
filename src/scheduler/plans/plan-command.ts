// From the body of a request to the command of the planner: what the goal takes, hosts of aggregates and zones.
import { invalidField } from '../../compute/registry-refusals';
import { SCHEDULER_LIMITS } from '../../platform/config/limits/scheduler';
import type { PlanCommand } from './planning';
import type { PlanDto } from './plans.schema';

const HOSTS = ['hosts', 'host_aggregates', 'availability_zones'] as const;
/** Fields of single goals; one of the first list is necessary. */
const FIELDS: Readonly<Record<PlanDto['goal'], readonly [needed: readonly (keyof PlanDto)[], ...(keyof PlanDto)[]]>> = {
  drain: [HOSTS],
  waves: [HOSTS, 'at_a_time'],
  room: [['flavor'], 'count', 'min_gain'],
  balance: [['resource_classes'], 'over', 'min_gain'],
  pack: [[], 'flavor', 'min_gain'],
};
const SPECIFIC = new Set(Object.values(FIELDS).flat(2));

const MOVES_PER_HOST = 2;
const TIME_LIMIT_S = 5;

const isGiven = (value: unknown): boolean => (Array.isArray(value) ? value.length > 0 : (value ?? null) !== null);

/** Throws invalid_request with the name of the field. */
export function refuseOtherFields(body: PlanDto): void {
  const { goal } = body;
  const [needed] = FIELDS[goal];
  const taken = FIELDS[goal].flat();
  const other = [...SPECIFIC].find((field) => body[field] !== undefined && !taken.includes(field));
  if (other !== undefined) throw invalidField(other, `is not for the goal '${goal}', which takes ${taken.join(', ')}`);
  const [first] = needed;
  if (first === undefined || needed.some((field) => isGiven(body[field]))) return;
  throw invalidField(first, `is necessary for the goal '${goal}': give ${needed.join(' or ')}`);
}

type HostSet = readonly [names: readonly string[], hosts: readonly string[]];

/** The hosts to drain. Throws invalid_request for an unknown aggregate or zone. */
export function drainedHosts(
  body: PlanDto,
  known: Readonly<Record<'host_aggregates' | 'availability_zones', readonly HostSet[]>>,
): readonly string[] {
  const found = new Set(body.hosts);
  for (const field of ['host_aggregates', 'availability_zones'] as const) {
    for (const [at, name] of (body[field] ?? []).entries()) {
      const named = known[field].filter(([names]) => names.includes(name));
      if (named.length === 0) throw invalidField(`${field}.${at}`, `is '${name}', which does not exist`);
      for (const host of named.flatMap(([, hosts]) => hosts)) found.add(host);
    }
  }
  return [...found];
}

export function commandOf(body: PlanDto, hosts: readonly string[]): PlanCommand {
  const { instances = [], hosts: stayHosts = [], projects = [] } = body.stay ?? {};
  return {
    goal: body.goal,
    hosts,
    atATime: body.at_a_time ?? 1,
    flavor: body.flavor ?? null,
    count: body.count ?? null,
    classes: body.resource_classes ?? [],
    over: body.over ?? 'hosts',
    stay: { instances, hosts: stayHosts, projects },
    maxMoves: body.max_moves ?? SCHEDULER_LIMITS.planMoves,
    maxMovesPerHost: body.max_moves_per_host ?? MOVES_PER_HOST,
    minGain: body.min_gain ?? 0,
    seed: body.seed ?? 0,
    timeLimitMs: (body.time_limit ?? TIME_LIMIT_S) * 1_000,
  };
}
