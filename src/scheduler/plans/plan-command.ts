// From the body of a request to the command of the planner: what the goal takes, hosts of aggregates and zones.
import type { AvailabilityZone } from '../../compute/availability-zones/availability-zones.loader';
import type { RegisteredAggregate } from '../../compute/host-aggregates/host-aggregate.entity';
import { invalidField } from '../../compute/registry-refusals';
import type { PlanCommand } from './planning';
import type { PlanDto } from './plans.schema';

const HOSTS = ['hosts', 'host_aggregates', 'availability_zones'] as const;
const TAKES: Readonly<Record<PlanDto['goal'], readonly (keyof PlanDto)[]>> = {
  drain: HOSTS,
  room: ['flavor', 'count', 'min_gain'],
  balance: ['resource_classes', 'over', 'min_gain'],
  pack: ['flavor', 'min_gain'],
};
const NEEDS: Readonly<Partial<Record<PlanDto['goal'], keyof PlanDto>>> = {
  room: 'flavor',
  balance: 'resource_classes',
};
const SPECIFIC = new Set(Object.values(TAKES).flat());

const MOVES_PER_HOST = 2;
const TIME_LIMIT_S = 5;

const isGiven = (value: unknown): boolean =>
  value !== undefined && value !== null && !(Array.isArray(value) && value.length === 0);

/** Throws invalid_request with the name of the field. */
export function refuseOtherFields(body: PlanDto): void {
  const { goal } = body;
  const other = [...SPECIFIC].find((field) => body[field] !== undefined && !TAKES[goal].includes(field));
  if (other !== undefined)
    throw invalidField(other, `is not for the goal '${goal}', which takes ${TAKES[goal].join(', ')}`);
  const needed = NEEDS[goal];
  if (needed !== undefined && !isGiven(body[needed]))
    throw invalidField(needed, `must be given for the goal '${goal}'`);
  if (goal === 'drain' && !HOSTS.some((field) => isGiven(body[field]))) {
    throw invalidField('hosts', "must be given for the goal 'drain', or host_aggregates, or availability_zones");
  }
}

/** The hosts to drain. Throws invalid_request for an unknown aggregate or zone. */
export function drainedHosts(
  { hosts = [], host_aggregates: aggregates = [], availability_zones: zones = [] }: PlanDto,
  known: { readonly aggregates: readonly RegisteredAggregate[]; readonly zones: readonly AvailabilityZone[] },
): readonly string[] {
  const found = new Set(hosts);
  for (const [at, name] of aggregates.entries()) {
    const named = known.aggregates.filter((each) => each.name === name || each.uuid === name);
    if (named.length === 0) throw invalidField(`host_aggregates.${at}`, `is '${name}', which is not a host aggregate`);
    for (const host of named.flatMap((each) => each.hosts)) found.add(host);
  }
  for (const [at, name] of zones.entries()) {
    const zone = known.zones.find((each) => each.name === name);
    if (zone === undefined)
      throw invalidField(`availability_zones.${at}`, `is '${name}', which is not an availability zone`);
    for (const { host } of zone.hosts) found.add(host);
  }
  return [...found];
}

export function commandOf(body: PlanDto, hosts: readonly string[]): PlanCommand {
  const { instances = [], hosts: stayHosts = [], projects = [] } = body.stay ?? {};
  return {
    goal: body.goal,
    hosts,
    flavor: body.flavor ?? null,
    count: body.count ?? null,
    classes: body.resource_classes ?? [],
    over: body.over ?? 'hosts',
    stay: { instances, hosts: stayHosts, projects },
    maxMoves: body.max_moves ?? null,
    maxMovesPerHost: body.max_moves_per_host ?? MOVES_PER_HOST,
    minGain: body.min_gain ?? 0,
    seed: body.seed ?? 0,
    timeLimitMs: (body.time_limit ?? TIME_LIMIT_S) * 1_000,
  };
}
