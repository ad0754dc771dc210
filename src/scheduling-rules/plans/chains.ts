// Room on a full host: some of its instances go elsewhere first, if necessary after others have left those hosts.
import type { Draft } from './draft';
import { sortedBy } from './sorted-by';

/** Hosts that are compared and that are tried for one instance, and instances that leave one host for it. */
const HOSTS_COMPARED = 64;
const HOSTS_TRIED = 12;
const MOST_LEAVING = 3;

type Missing = ReadonlyMap<number, number>;

/** Amounts by column that are missing on the host for the amounts given. Empty: the sums have room. */
export function missingOn(draft: Draft, host: number, amounts: readonly number[]): Missing {
  const { capacity, used } = draft.cloud;
  const missing = new Map<number, number>();
  amounts.forEach((amount, column) => {
    const at = host * amounts.length + column;
    const lack = amount - (capacity[at] as number) + (used[at] as number);
    if (amount > 0 && lack > 0 && capacity[at] !== 0) missing.set(column, lack);
  });
  return missing;
}

/** Few of the instances that together free the missing amounts, the most useful first; null: there are none. */
export function leavingFor(draft: Draft, leavers: readonly number[], missing: Missing, most: number): number[] | null {
  const lacks = new Map(missing);
  const movable = new Map(leavers.map((each) => [each, draft.amountsOf(each)]));
  const leaving: number[] = [];
  while (lacks.size > 0) {
    let best: number | null = null;
    let bestShare = 0;
    let bestSize = 0;
    for (const [instance, amounts] of movable) {
      let share = 0;
      let size = 0;
      for (const [column, lack] of lacks) {
        const amount = amounts[column] as number;
        share += Math.min(amount / lack, 1);
        size += amount / lack;
      }
      if (share < bestShare || share === 0 || (share === bestShare && size >= bestSize)) continue;
      [best, bestShare, bestSize] = [instance, share, size];
    }
    if (best === null || leaving.length === most) return null;
    leaving.push(best);
    const freed = movable.get(best) as readonly number[];
    movable.delete(best);
    for (const [column, lack] of lacks) {
      const left = lack - (freed[column] as number);
      if (left > 0) lacks.set(column, left);
      else lacks.delete(column);
    }
  }
  return leaving;
}

/** Places an instance on a full host after others have left it; at most `depth` hosts give way in a row. */
export async function placeByChain(
  draft: Draft,
  instance: number,
  reason: string,
  depth: number,
  accepts: (host: number) => boolean = () => true,
): Promise<boolean> {
  for (const { host, leaving } of fullHosts(draft, instance, accepts)) {
    if (draft.limits.isTimeUp()) return false;
    if (leaving.length >= draft.movesLeft) continue;
    const acceptsElse = (other: number): boolean => other !== host && accepts(other);
    const name = draft.instance(instance).name ?? draft.instance(instance).uuid;
    const why = `makes room for instance ${name} on ${draft.cloud.hosts[host]?.host}`;
    const steps = leaving.map((each) => async (): Promise<boolean> => {
      if (await draft.place(each, why, acceptsElse)) return true;
      return depth > 1 && placeByChain(draft, each, why, depth - 1, acceptsElse);
    });
    if (await draft.allOrNone([...steps, () => draft.move(instance, host, reason)])) return true;
  }
  return false;
}

/** Those of the instance's zone first, then those that few and small instances must leave. */
function fullHosts(draft: Draft, instance: number, accepts: (host: number) => boolean) {
  const { hosts, resources, capacity } = draft.cloud;
  const own = draft.cloud.hostOf(instance);
  const zone = own === null ? null : hosts[own]?.zone;
  const amounts = draft.amountsOf(instance);
  const near = hosts.flatMap((_, host) => {
    const whole = (column: number): number => capacity[host * resources.length + column] as number;
    if (host === own || !draft.isTarget(host) || !accepts(host)) return [];
    if (amounts.some((amount, column) => whole(column) > 0 && amount > whole(column))) return [];
    const missing = missingOn(draft, host, amounts);
    // A host in another zone, or refused for another rule than its sums, is less likely to help.
    let distance = (zone === null || hosts[host]?.zone === zone ? 0 : 9) + (missing.size > 0 ? 0 : 1);
    for (const [column, lack] of missing) distance += lack / whole(column);
    return [{ host, missing, distance }];
  });
  const compared = sortedBy(near, ({ distance }) => distance).slice(0, HOSTS_COMPARED);
  const found = compared.flatMap(({ host, missing, distance }) => {
    const leaving =
      missing.size > 0
        ? leavingFor(draft, draft.movableOn(host), missing, MOST_LEAVING)
        : membersOn(draft, instance, host);
    return leaving === null || leaving.length === 0 ? [] : [{ host, leaving, cost: distance + leaving.length }];
  });
  return sortedBy(found, ({ cost }) => cost).slice(0, HOSTS_TRIED);
}

/** A host with room by its sums can be refused for a member of the same group, or for what its largest one holds. */
function membersOn(draft: Draft, instance: number, host: number): readonly number[] {
  const { groupUuid } = draft.instance(instance);
  const movable = draft.movableOn(host);
  if (groupUuid !== null) return movable.filter((each) => draft.instance(each).groupUuid === groupUuid).slice(0, 1);
  return sortedBy(movable, (each) => -sizeOf(draft, each, host)).slice(0, 1);
}

/** Sum of the parts of the host's capacity. */
export function sizeOf(draft: Draft, instance: number, host: number): number {
  const amounts = draft.amountsOf(instance);
  return amounts.reduce((sum, amount, column) => {
    const whole = draft.cloud.capacity[host * amounts.length + column] as number;
    return whole > 0 ? sum + amount / whole : sum;
  }, 0);
}
