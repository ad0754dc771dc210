// Empties hosts, those with the fewest instances first; what leaves goes to the fullest hosts with room.
import type { Random } from '../../platform/values/random';
import { placeByChain, sizeOf } from './chains';
import type { Draft } from './draft';
import { sortedBy } from './sorted-by';

/** Hosts that an instance tries by their sums. */
const MOST_GUESSES = 4;
/** Chains that end without a place, after which no more are tried; hosts in a row that cannot be emptied. */
const MOST_FAILED_CHAINS = 20;
const MOST_FAILED_HOSTS = 20;

/** `spread` above 0: another order of the hosts by chance. */
export async function pack(draft: Draft, random: Random, spread: number): Promise<void> {
  const { cloud } = draft;
  const canBeEmpty = [...cloud.hosts.keys()].filter((host) => {
    const count = cloud.instancesOn(host).length;
    return count > 0 && draft.movableOn(host).length === count;
  });
  const sources = sortedBy(canBeEmpty, (host) => cloud.instancesOn(host).length * (1 + spread * random()));
  let [failed, failedChains] = [0, 0];
  for (const host of sources) {
    if (draft.limits.isTimeUp() || failed === MOST_FAILED_HOSTS) return;
    await draft.limits.pause();
    if (cloud.instancesOn(host).length > draft.movesLeft) continue;
    const receivers = fullestFirst(draft, host);
    const isReceiver = new Set(receivers);
    const reason = `fills a used host, so that ${cloud.hosts[host]?.host} is empty`;
    const largestFirst = sortedBy(draft.movableOn(host), (each) => -sizeOf(draft, each, host));
    const steps = largestFirst.map((instance) => async (): Promise<boolean> => {
      if (draft.limits.isTimeUp() || draft.movesLeft < 1) return false;
      if (await fill(draft, instance, receivers, reason)) return true;
      if (failedChains === MOST_FAILED_CHAINS) return false;
      if (await placeByChain(draft, instance, reason, 1, (other) => isReceiver.has(other))) return true;
      failedChains += 1;
      return false;
    });
    failed = (await draft.allOrNone(steps)) ? 0 : failed + 1;
  }
}

/** Moves to the fullest receiver with room. */
async function fill(draft: Draft, instance: number, receivers: readonly number[], reason: string): Promise<boolean> {
  for (let guesses = 0; guesses < MOST_GUESSES; guesses += 1) {
    const host = receivers.find((each) => draft.hasRoom(instance, each) && !draft.isRefused(instance, each));
    if (host === undefined) return false;
    if (await draft.guess(instance, host, reason)) return true;
  }
  return false;
}

/** Used hosts that take instances. */
function fullestFirst(draft: Draft, source: number): readonly number[] {
  const { cloud } = draft;
  const { resources, capacity, used } = cloud;
  const freeOf = (host: number): number =>
    resources.reduce((least, _, column) => {
      const at = host * resources.length + column;
      return Math.min(least, 1 - (used[at] as number) / Math.max(1, capacity[at] as number));
    }, 1);
  const receivers = [...cloud.hosts.keys()].filter(
    (host) => host !== source && draft.isTarget(host) && cloud.instancesOn(host).length > 0,
  );
  return sortedBy(receivers, freeOf);
}
