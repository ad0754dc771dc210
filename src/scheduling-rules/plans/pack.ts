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
/** In larger clouds only hosts are tried whose instances have room by their sums. */
const FEW_HOSTS = 32;

/** `spread` above 0: another order of the hosts by chance. */
export async function pack(draft: Draft, random: Random, spread: number): Promise<void> {
  const { cloud } = draft;
  const chains = { failed: 0 };
  const canBeEmpty = [...cloud.hosts.keys()].filter((host) => {
    const count = cloud.instancesOn(host).length;
    return count > 0 && draft.movableOn(host).length === count;
  });
  const sources = sortedBy(canBeEmpty, (host) => cloud.instancesOn(host).length * (1 + spread * random()));
  let failed = 0;
  for (const host of sources) {
    if (draft.limits.isTimeUp() || failed === MOST_FAILED_HOSTS) return;
    await draft.limits.pause();
    if (cloud.instancesOn(host).length > draft.movesLeft) continue;
    failed = (await draft.allOrNone([() => empty(draft, host, chains)])) ? 0 : failed + 1;
  }
}

async function empty(draft: Draft, source: number, chains: { failed: number }): Promise<boolean> {
  const { cloud } = draft;
  const receivers = fullestFirst(draft, source);
  const isReceiver = new Set(receivers);
  const reason = `fills a used host, so that ${cloud.hosts[source]?.host} is empty`;
  const isRoomy = (host: number): boolean => isReceiver.has(host) || host === source;
  const largestFirst = (): number[] => sortedBy(draft.movableOn(source), (each) => -sizeOf(draft, each, source));
  const load = (): number => largestFirst().reduce((sum, each) => sum + sizeOf(draft, each, source), 0);
  if (cloud.hosts.length > FEW_HOSTS && !haveRoom(draft, largestFirst(), receivers)) return false;
  for (;;) {
    const [instance] = largestFirst();
    if (instance === undefined) return cloud.instancesOn(source).length === 0;
    if (draft.limits.isTimeUp() || draft.movesLeft < 1) return false;
    if (await fill(draft, instance, receivers, reason)) continue;
    if (chains.failed === MOST_FAILED_CHAINS) return false;
    const before = load();
    if (await placeByChain(draft, instance, reason, 1, (host) => isReceiver.has(host))) continue;
    // Smaller ones come to the source in exchange, so that less is left on it.
    const exchange = (): Promise<boolean> => placeByChain(draft, instance, reason, 2, isRoomy);
    if (await draft.allOrNone([exchange, () => Promise.resolve(load() < before - 1e-9)])) continue;
    chains.failed += 1;
    return false;
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

/** Whether each finds room on the first receiver that has it, by the sums and by what is refused already. */
function haveRoom(draft: Draft, leaving: readonly number[], receivers: readonly number[]): boolean {
  const now = draft.cloud.used.slice();
  return leaving.every((instance) => {
    const amounts = draft.amountsOf(instance);
    const found = receivers.find((host) => draft.hasRoom(instance, host, now) && !draft.isRefused(instance, host));
    if (found === undefined) return false;
    amounts.forEach((amount, column) => ((now[found * amounts.length + column] as number) += amount));
    return true;
  });
}
