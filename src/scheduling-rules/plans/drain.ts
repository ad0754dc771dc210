// Drains hosts: the hardest instances first, each to the best host with room, otherwise by a chain; then again with those
// that found no place in front.
import { type Random, shuffled } from '../../platform/values/random';
import { placeByChain, sizeOf } from './chains';
import type { Draft } from './draft';
import type { DraftMove, Unmovable } from './plan';
import type { PlanRefusal } from './plan-cloud';
import { sortedBy } from './sorted-by';

const RESTARTS = 3;
/** Larger drains do not start again. */
const MOST_AGAIN = 100;
const CHAIN_DEPTH = 2;

/** The hosts are closed already. Leaves the draft with the most instances moved that it has found. */
export async function drain(draft: Draft, hosts: readonly number[], random: Random): Promise<void> {
  let order = hardestFirst(draft, hosts);
  let best: readonly DraftMove[] = [];
  let leastLeft = Infinity;
  for (let round = 0; round === 0 || (round <= RESTARTS && !draft.limits.isTimeUp()); round += 1) {
    draft.undo(0);
    const left = await attempt(draft, order);
    if (left.length < leastLeft) [best, leastLeft] = [[...draft.moves], left.length];
    if (left.length === 0 || draft.movesLeft < 1 || order.length > MOST_AGAIN) return;
    const isLeft = new Set(left);
    order = [...shuffled(left, random), ...order.filter((each) => !isLeft.has(each))];
  }
  await draft.replay(best);
}

/** Returns those that have found no place. */
async function attempt(draft: Draft, order: readonly number[]): Promise<readonly number[]> {
  const isOver = (): boolean => draft.limits.isTimeUp() || draft.movesLeft < 1;
  const waiting: number[] = [];
  for (const instance of order) {
    if (isOver() || !(await draft.place(instance, reasonOf(draft, instance)))) waiting.push(instance);
  }
  const left: number[] = [];
  const stuck = new Map<number, number>();
  for (const instance of waiting) {
    const key = draft.keyOf(instance);
    const reason = reasonOf(draft, instance);
    const isHopeless = stuck.get(key) === draft.state || isOver();
    if (!isHopeless && (await draft.place(instance, reason))) continue;
    if (!isHopeless && (await placeByChain(draft, instance, reason, CHAIN_DEPTH))) continue;
    left.push(instance);
    stuck.set(key, draft.state);
  }
  return left;
}

function reasonOf(draft: Draft, instance: number): string {
  const { groupName, groupPolicy } = draft.instance(instance);
  return groupPolicy === 'anti-affinity' ? `keeps group ${groupName} apart` : 'the best weighed host with room';
}

/** Members of groups, then large ones; with too few moves for all, host by host, the emptiest hosts first. */
function hardestFirst(draft: Draft, hosts: readonly number[]): readonly number[] {
  const movable = hosts.map((host) => draft.movableOn(host)).toSorted((one, other) => one.length - other.length);
  if (movable.flat().length > draft.movesLeft) return movable.flat();
  return sortedBy(movable.flat(), (instance) => {
    const size = sizeOf(draft, instance, draft.cloud.hostOf(instance) ?? 0);
    return draft.instance(instance).groupUuid === null ? -size : -1e6 - size;
  });
}

/** Why instances are still on the hosts, judged with all moves of the draft made, as the draft is now. */
export async function unmovableOn(draft: Draft, hosts: readonly number[]): Promise<Unmovable[]> {
  const unmovable: Unmovable[] = [];
  const answers = new Map<number, PlanRefusal>();
  for (const instance of hosts.flatMap((host) => draft.cloud.instancesOn(host))) {
    const own = ownReason(draft, instance);
    const key = draft.keyOf(instance);
    const answer = own ?? answers.get(key) ?? (await refusalOf(draft, instance));
    if (own === null) answers.set(key, answer);
    unmovable.push({ instance, ...answer });
  }
  return unmovable;
}

function ownReason({ ask, cloud, limits }: Draft, instance: number): PlanRefusal | null {
  const fixed = cloud.instances[instance]?.fixed ?? null;
  if (fixed !== null) return { sentence: fixed, remedy: null };
  if (ask.staying.has(instance)) {
    return { sentence: 'The instance must stay: the plan was asked so.', remedy: 'Let the instance move.' };
  }
  if (ask.untouched.has(cloud.hostOf(instance) ?? -1)) {
    return { sentence: 'Its host must be left alone: the plan was asked so.', remedy: 'Let the plan use the host.' };
  }
  if (limits.isTimeUp()) {
    return { sentence: 'The time was up before a place was found.', remedy: 'Allow more time.' };
  }
  return null;
}

async function refusalOf(draft: Draft, instance: number): Promise<PlanRefusal> {
  const { refusal } = await draft.cloud.targets(instance);
  const { groupName, groupUuid, groupPolicy } = draft.instance(instance);
  if (refusal !== null) {
    const members = draft.cloud.instances.filter((other) => other.groupUuid === groupUuid).length;
    if (groupPolicy !== 'affinity' || members < 2) return refusal;
    return {
      sentence: `Group ${groupName} keeps its ${members} members on one host, so none of them can leave it alone.`,
      remedy: 'Stop the other members, or give the group the policy soft-affinity.',
    };
  }
  if (draft.movesLeft < 1) {
    return { sentence: `The plan has its ${draft.ask.maxMoves} moves already.`, remedy: 'Allow more moves.' };
  }
  return { sentence: 'Only hosts that must be left alone have room.', remedy: 'Let the plan use one of them.' };
}
