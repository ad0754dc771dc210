// Empties hosts, those with the fewest instances first; what leaves goes to the fullest hosts with room.
import type { Random } from '../../platform/values/random';
import { placeByChain, sizeOf } from './chains';
import type { Draft } from './draft';

/** Hosts that an instance tries by their sums. */
const MOST_GUESSES = 4;
/** Chains that end without a place, after which no more are tried; hosts in a row that cannot be emptied. */
const MOST_FAILED_CHAINS = 20;
const MOST_FAILED_HOSTS = 20;

/** `spread` above 0: another order of the hosts by chance. */
export async function pack(draft: Draft, random: Random, spread: number): Promise<void> {
  const { cloud } = draft;
  const chains = { failed: 0 };
  const sources = cloud.hosts
    .map((_, host) => ({ host, rank: cloud.instancesOn(host).length * (1 + spread * random()) }))
    .filter(({ host, rank }) => rank > 0 && draft.movableOn(host).length === cloud.instancesOn(host).length)
    .toSorted((one, other) => one.rank - other.rank);
  let failed = 0;
  for (const { host } of sources) {
    if (draft.limits.isTimeUp() || failed === MOST_FAILED_HOSTS) return;
    await draft.limits.pause();
    if (cloud.instancesOn(host).length > draft.movesLeft) continue;
    const point = draft.point();
    failed = (await empty(draft, host, chains)) ? 0 : failed + 1;
    if (failed > 0) draft.undo(point);
  }
}

async function empty(draft: Draft, source: number, chains: { failed: number }): Promise<boolean> {
  const { cloud } = draft;
  const receivers = fullestFirst(draft, source);
  const isReceiver = new Set(receivers);
  const reason = `fills a used host, so that ${cloud.hosts[source]?.host} is empty`;
  const leaving = draft.movableOn(source).map((instance) => ({ instance, size: sizeOf(draft, [instance], source) }));
  leaving.sort((one, other) => other.size - one.size);
  if (!haveRoom(draft, leaving, receivers)) return false;
  for (const { instance } of leaving) {
    if (draft.limits.isTimeUp()) return false;
    let isPlaced = false;
    let guesses = 0;
    for (const host of receivers) {
      if (guesses === MOST_GUESSES) break;
      if (!draft.hasRoom(instance, host) || draft.isRefused(instance, host)) continue;
      guesses += 1;
      isPlaced = await draft.guess(instance, host, reason);
      if (isPlaced) break;
    }
    if (!isPlaced && chains.failed < MOST_FAILED_CHAINS) {
      isPlaced = await placeByChain(draft, instance, reason, 1, (host) => isReceiver.has(host));
      if (!isPlaced) chains.failed += 1;
    }
    if (!isPlaced) return false;
  }
  return cloud.instancesOn(source).length === 0;
}

/** Used hosts that take instances. */
function fullestFirst(draft: Draft, source: number): readonly number[] {
  const { cloud } = draft;
  const { hosts, resources, capacity, used } = cloud;
  return hosts
    .map((_, host) => {
      let fullness = 0;
      for (let at = host * resources.length; at < (host + 1) * resources.length; at += 1) {
        if ((capacity[at] as number) > 0)
          fullness = Math.max(fullness, (used[at] as number) / (capacity[at] as number));
      }
      return { host, fullness };
    })
    .filter(({ host }) => host !== source && draft.isTarget(host) && cloud.instancesOn(host).length > 0)
    .toSorted((one, other) => other.fullness - one.fullness)
    .map(({ host }) => host);
}

/** Whether each finds room on the first receiver that has it, by the sums and by what is refused already. */
function haveRoom(
  draft: Draft,
  leaving: readonly { readonly instance: number }[],
  receivers: readonly number[],
): boolean {
  const now = draft.cloud.used.slice();
  return leaving.every(({ instance }) => {
    const amounts = draft.amountsOf(instance);
    const at = (host: number, column: number): number => host * amounts.length + column;
    const found = receivers.find((host) => draft.hasRoom(instance, host, now) && !draft.isRefused(instance, host));
    if (found === undefined) return false;
    amounts.forEach((amount, column) => ((now[at(found, column)] as number) += amount));
    return true;
  });
}
