// A second judgement of plans, without the planner's code and without its cloud: replays a plan event by event, in random
// interleavings, and checks every rule at every moment. Also the fewest moves by breadth-first search over states.
import { type Random, randomIndex } from '../../platform/values/random';
import type { Plan, PlanAsk } from './plan';
import { classesOf, type Model, type ModelInstance, type ModelRequest } from './plan-cloud.fixture';

/** By instance the hosts that it holds: one, or two during its move. */
type Held = readonly (readonly number[])[];

/** The broken rule, if this instance holds the host as well as all that `held` says. */
function brokenBy(model: Model, held: Held, instance: number, host: number): string | null {
  const of = model.hosts[host];
  const own = model.instances[instance];
  if (of === undefined || own === undefined) return 'unknown number';
  if (own.zone !== undefined && own.zone !== of.zone) return 'zone';
  for (const trait of own.traits ?? []) if (of.traits?.includes(trait) !== true) return 'trait';
  for (const resource of classesOf(model)) {
    const amount = (each: ModelInstance | undefined): number => each?.amounts[resource] ?? 0;
    let sum = held[instance]?.includes(host) === true ? 0 : amount(own);
    held.forEach((hosts, other) => {
      if (hosts.includes(host)) sum += amount(model.instances[other]);
    });
    if (amount(own) > 0 && sum > (of.capacity[resource] ?? 0)) return `oversold ${resource}`;
  }
  if (own.group === undefined) return null;
  const others = model.instances.flatMap((each, other) =>
    other !== instance && each.group === own.group ? [other] : [],
  );
  const together = others.filter((other) => held[other]?.includes(host) === true);
  if (model.groups?.[own.group] === 'anti-affinity') return together.length > 0 ? 'anti-affinity' : null;
  return together.length < others.length ? 'affinity' : null;
}

const start = (model: Model): number[] =>
  model.instances.map(({ host }) => model.hosts.findIndex(({ name }) => name === host));

/** What is wrong with the plan in one random run of it; empty: nothing. */
export function faultsOf(model: Model, ask: PlanAsk, plan: Plan, random: Random): readonly string[] {
  const faults = staticFaults(model, ask, plan);
  const held = start(model).map((host) => [host]);
  const open = new Set<number>();
  const ended = new Set<number>();
  const running = (host: number): number =>
    [...open].filter((at) => plan.moves[at]?.source === host || plan.moves[at]?.target === host).length;
  while (ended.size < plan.moves.length && faults.length === 0) {
    const events: (() => void)[] = [];
    plan.moves.forEach((move, at) => {
      if (open.has(at)) {
        events.push(() => {
          open.delete(at);
          ended.add(at);
          held[move.instance] = [move.target];
        });
        return;
      }
      const isHeld = Math.max(running(move.source), running(move.target)) >= ask.maxMovesPerHost;
      if (ended.has(at) || isHeld || !move.after.every((other) => ended.has(other))) return;
      events.push(() => {
        open.add(at);
        if (held[move.instance]?.join() !== String(move.source)) faults.push(`move ${at}: not on its source`);
        const broken = brokenBy(model, held, move.instance, move.target);
        if (broken !== null) faults.push(`move ${at}: ${broken}`);
        held[move.instance]?.push(move.target);
      });
    });
    const event = events[randomIndex(random, events.length)];
    if (event === undefined) faults.push('no move can start');
    else event();
  }
  return faults;
}

function staticFaults(model: Model, ask: PlanAsk, { moves }: Plan): string[] {
  const faults: string[] = [];
  const drained = new Set(ask.goal.kind === 'drain' ? ask.goal.hosts : []);
  const busy = new Map<string, number>();
  if (moves.length > (ask.maxMoves ?? Infinity)) faults.push('too many moves');
  moves.forEach(({ instance, source, target, after, stage, reason }, at) => {
    const fault = (text: string): number => faults.push(`move ${at}: ${text}`);
    if (ask.staying.has(instance) || model.instances[instance]?.fixed !== undefined) fault('must stay');
    if (ask.untouched.has(source) || ask.untouched.has(target)) fault('host must be left alone');
    if (drained.has(target) || model.hosts[target]?.closed !== undefined) fault('closed target');
    if (reason === '') fault('no reason');
    if (after.some((other) => other >= at || (moves[other]?.stage ?? stage) >= stage)) fault('waits for a later one');
    if (stage < (moves[at - 1]?.stage ?? 0)) fault('stages out of order');
    for (const key of [`${stage} ${source}`, `${stage} ${target}`]) {
      busy.set(key, (busy.get(key) ?? 0) + 1);
      if ((busy.get(key) ?? 0) > ask.maxMovesPerHost) fault('too many moves of a host in a stage');
    }
  });
  return faults;
}

/** Hosts by instance after all moves. */
export function endOf(model: Model, plan: Plan): readonly number[] {
  const hosts = start(model);
  for (const { instance, target } of plan.moves) hosts[instance] = target;
  return hosts;
}

/** How many of the flavor fit, one after the other. */
export function placesFor(model: Model, hosts: readonly number[], flavor: ModelRequest): number {
  const added: ModelInstance[] = [];
  const held = hosts.map((host) => [host]);
  for (;;) {
    const next = { ...flavor, name: 'new', host: '' };
    const enlarged = { ...model, instances: [...model.instances, ...added, next] };
    const at = enlarged.instances.length - 1;
    const host = model.hosts.findIndex(
      ({ closed }, each) => closed === undefined && brokenBy(enlarged, held, at, each) === null,
    );
    if (host < 0) return added.length;
    added.push(next);
    held.push([host]);
  }
}

/** The fewest moves that reach the goal, at most `most`; null: there are none. */
export function fewestMoves(
  model: Model,
  ask: PlanAsk,
  isReached: (hosts: readonly number[]) => boolean,
  most: number,
): number | null {
  const drained = new Set(ask.goal.kind === 'drain' ? ask.goal.hosts : []);
  const kind = model.instances.map((each, instance) =>
    each.group === undefined && each.fixed === undefined && !ask.staying.has(instance)
      ? JSON.stringify([each.amounts, each.traits, each.zone])
      : String(instance),
  );
  const keyOf = (hosts: readonly number[]): string =>
    hosts
      .map((host, at) => `${kind[at]}@${host}`)
      .toSorted()
      .join();
  let states = [start(model)];
  const seen = new Set(states.map(keyOf));
  for (let moves = 0; moves <= most; moves += 1) {
    if (states.some(isReached)) return moves;
    if (moves === most) break;
    const next: number[][] = [];
    for (const hosts of states) {
      const held = hosts.map((host) => [host]);
      hosts.forEach((source, instance) => {
        if (ask.staying.has(instance) || model.instances[instance]?.fixed !== undefined) return;
        if (ask.untouched.has(source)) return;
        model.hosts.forEach(({ closed }, target) => {
          if (target === source || closed !== undefined || drained.has(target) || ask.untouched.has(target)) return;
          const after = hosts.with(instance, target);
          const key = keyOf(after);
          if (seen.has(key) || brokenBy(model, held, instance, target) !== null) return;
          seen.add(key);
          next.push(after);
        });
      });
    }
    states = next;
  }
  return null;
}
