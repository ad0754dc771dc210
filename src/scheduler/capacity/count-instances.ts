// Counts how many more instances fit: the number that the pipeline would place one after another, without claims.
//
// Independent hosts are counted one by one, each as a batch with this host only: the preference between hosts does not
// change the sum. Hosts that share a provider, or that an affinity policy restricts, are counted as one real batch.

import { findInventory } from '../../placement/candidate-search';
import type { HostState } from '../../scheduling-rules/host-state/host-state';
import type { ProviderSummaries } from '../../scheduling-rules/host-state/host-state';
import { DecisionRecorder } from '../../scheduling-rules/pipeline/explanation';
import { COUNTING_BATCHES, COUNTING_TIME_MS } from '../../scheduling-rules/pipeline/limits';
import type { HostWeight } from '../../scheduling-rules/pipeline/run-weighers';
import type { HostClaimer } from '../claim/host-claimer';
import { placeBatch } from '../claim/place-batch';
import type { DecisionRun, FoundHosts } from '../decide/decision-run';
import type { SchedulerEnvironment } from '../ports';

export interface HostCount {
  readonly state: HostState;
  readonly count: number;
}

export interface InstanceCount {
  readonly total: number;
  /** Why more instances can fit: `max_instances` or the time limit was reached. Null: the total is exact. */
  readonly cutBy: 'max_instances' | 'time' | null;
  /** Best host first. If the count was cut, only the counted hosts. */
  readonly hosts: readonly HostCount[];
  readonly uncounted: number;
}

export const NOTHING_FITS: InstanceCount = Object.freeze({ total: 0, cutBy: null, hosts: [], uncounted: 0 });

interface CountRun {
  readonly run: DecisionRun;
  readonly found: FoundHosts;
  /** The possible hosts of the first instance, best first. */
  readonly ranking: readonly HostWeight[];
  readonly maxInstances: number;
  readonly newClaimer: (run: DecisionRun) => HostClaimer;
  readonly env: Pick<SchedulerEnvironment, 'now'>;
}

export async function countInstances(run: CountRun): Promise<InstanceCount> {
  if (run.ranking.length === 0) return NOTHING_FITS;
  const { spec, answer } = run.found;
  const isApart = !isShared(run.ranking, answer.summaries) && spec.instanceGroup?.policy !== 'affinity';
  return isApart ? countApart(run) : countTogether(run);
}

/** True if hosts take resources from providers outside their own trees. */
function isShared(ranking: readonly HostWeight[], summaries: ProviderSummaries): boolean {
  return ranking.some(({ state }) =>
    state.candidates.some(({ allocations }) =>
      Object.keys(allocations).some((uuid) => (summaries.get(uuid)?.rootUuid ?? state.uuid) !== state.uuid),
    ),
  );
}

async function countApart(run: CountRun): Promise<InstanceCount> {
  const watch = new Watch(run.env);
  const names = namesOf(run.maxInstances);
  const hosts: HostCount[] = [];
  let total = 0;
  for (const { state } of run.ranking) {
    if (total >= run.maxInstances || watch.isOver) break;
    const most = Math.min(run.maxInstances - total, mostOn(run, state));
    const count = (await placeSome(run, [state], names.slice(0, most))).length;
    hosts.push({ state, count });
    total += count;
  }
  const uncounted = run.ranking.length - hosts.length;
  const isFull = total >= run.maxInstances;
  return { total, cutBy: isFull ? 'max_instances' : uncounted > 0 ? 'time' : null, hosts, uncounted };
}

/** Counts in growing batches, each from the start, until one cannot place all of its instances. */
async function countTogether(run: CountRun): Promise<InstanceCount> {
  const watch = new Watch(run.env);
  const sizes = [...COUNTING_BATCHES.filter((size) => size < run.maxInstances), run.maxInstances];
  const hosts = run.ranking.map(({ state }) => state);
  for (const most of sizes) {
    const placed = await placeSome(run, hosts, namesOf(most));
    const isExact = placed.length < most;
    if (!isExact && most < run.maxInstances && !watch.isOver) continue;
    const counts = new Map<string, number>();
    for (const { uuid } of placed) counts.set(uuid, (counts.get(uuid) ?? 0) + 1);
    return {
      total: placed.length,
      cutBy: isExact ? null : most < run.maxInstances ? 'time' : 'max_instances',
      hosts: hosts.map((state) => ({ state, count: counts.get(state.uuid) ?? 0 })),
      uncounted: 0,
    };
  }
  return NOTHING_FITS;
}

/** An upper bound: the sum of the room for each candidate alone; infinite if further candidates can exist. */
function mostOn({ run, found, newClaimer }: CountRun, state: HostState): number {
  if (newClaimer(run).mayHaveMore(state)) return Number.POSITIVE_INFINITY;
  const { summaries } = found.answer;
  let most = 0;
  for (const { allocations } of state.candidates) {
    let room = Number.POSITIVE_INFINITY;
    for (const [uuid, { resources }] of Object.entries(allocations)) {
      const provider = summaries.get(uuid);
      for (const [name, amount] of Object.entries(resources)) {
        const inventory = provider && findInventory(provider, name);
        if (inventory === undefined || amount === 0) continue;
        room = Math.min(room, Math.floor((inventory.capacity - inventory.used) / amount));
      }
    }
    most += Math.max(0, room);
  }
  return most;
}

/** The hosts of up to the given number of instances, fewer if there is no room for more. */
async function placeSome(
  { run, found: { spec, answer }, newClaimer }: CountRun,
  hosts: readonly HostState[],
  names: readonly string[],
): Promise<readonly HostState[]> {
  const recorder = new DecisionRecorder({ requestId: '', startedMs: 0, seed: 0, driver: '', configRevision: '' });
  const claimer = newClaimer({ ...run, recorder, command: { ...run.command, mode: 'first' } });
  const counted = { ...spec, instanceUuids: names, minCount: 0 };
  const { summaries } = answer;
  const result = await placeBatch({ claimer, spec: counted, hosts, unknown: [], summaries });
  if (result.kind !== 'placed') return [];
  return result.placements.flatMap(({ selected }) => (selected === null ? [] : [selected.state]));
}

const namesOf = (count: number): readonly string[] => Array.from({ length: count }, (_, at) => `instance ${at}`);

/** The time limit of a count. */
class Watch {
  private readonly startedMs: number;

  constructor(private readonly env: CountRun['env']) {
    this.startedMs = env.now();
  }

  get isOver(): boolean {
    return this.env.now() - this.startedMs >= COUNTING_TIME_MS;
  }
}
