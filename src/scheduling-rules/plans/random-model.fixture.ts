// Seeded random clouds and asks for the laws of the planner.
import { type Random, randomIndex } from '../../platform/values/random';
import type { PlanAsk, PlanGoal } from './plan';
import type { Model, ModelInstance, ModelRequest } from './plan-cloud.fixture';

export function pick<Item>(random: Random, items: readonly Item[]): Item {
  return items[randomIndex(random, items.length)] as Item;
}

export const FLAVORS: readonly ModelRequest[] = [
  { amounts: { VCPU: 1, RAM: 2 } },
  { amounts: { VCPU: 2, RAM: 2 } },
  { amounts: { VCPU: 4, RAM: 3 } },
  { amounts: { VCPU: 2, RAM: 6 } },
  { amounts: { VCPU: 2, RAM: 4 }, traits: ['SSD'] },
  { amounts: { VCPU: 3, RAM: 3 }, zone: 'z1' },
];

/** At most `most` hosts and `instances` instances, as full as they get: each instance goes to a random host with room. */
export function randomModel(random: Random, most: number, instances: number): Model {
  const hosts = Array.from({ length: 2 + randomIndex(random, most - 1) }, (_, at) => ({
    name: `h${at}`,
    capacity: { VCPU: pick(random, [4, 6, 8]), RAM: pick(random, [8, 10]) },
    zone: pick(random, ['z1', 'z1', 'z2']),
    traits: random() < 0.6 ? ['SSD'] : [],
    ...(random() < 0.08 ? { closed: 'disabled' } : {}),
  }));
  const groups = { apart: 'anti-affinity', joined: 'affinity' } as const;
  const free = hosts.map(({ capacity }) => ({ ...capacity }));
  const placed: ModelInstance[] = [];
  for (let at = 0; at < instances; at += 1) {
    const flavor = pick(random, FLAVORS);
    const group = random() < 0.25 ? pick(random, ['apart', 'apart', 'joined']) : undefined;
    const members = placed.filter((other) => group !== undefined && other.group === group);
    const fitting = hosts.filter(
      ({ name, zone, traits }, host) =>
        (flavor.zone ?? zone) === zone &&
        (flavor.traits ?? []).every((trait) => traits.includes(trait)) &&
        (free[host]?.VCPU ?? 0) >= (flavor.amounts['VCPU'] ?? 0) &&
        (free[host]?.RAM ?? 0) >= (flavor.amounts['RAM'] ?? 0) &&
        members.every((member) => (group === 'apart') === (member.host !== name)),
    );
    if (fitting.length === 0) continue;
    const host = hosts.indexOf(pick(random, fitting));
    const left = free[host] as { VCPU: number; RAM: number };
    left.VCPU -= flavor.amounts['VCPU'] ?? 0;
    left.RAM -= flavor.amounts['RAM'] ?? 0;
    placed.push({
      ...flavor,
      name: `i${at}`,
      host: `h${host}`,
      ...(group === undefined ? {} : { group }),
      ...(random() < 0.04 ? { fixed: 'is being moved' } : {}),
    });
  }
  return { hosts, instances: placed, groups };
}

export function randomAsk(random: Random, model: Model, goal: PlanGoal): PlanAsk {
  const some = <Item>(items: readonly Item[], share: number): Set<number> =>
    new Set(items.map((_, at) => at).filter(() => random() < share));
  return {
    goal,
    staying: some(model.instances, 0.05),
    untouched: some(model.hosts, 0.05),
    maxMoves: random() < 0.3 ? 1 + randomIndex(random, 6) : null,
    maxMovesPerHost: 1 + randomIndex(random, 3),
    minGain: 0,
    seed: randomIndex(random, 1_000),
  };
}
