// From "what they had" and "what they want" to the moves of each inventory record, for one request and for several at
// once. Pure.
import type { HeldAllocation } from '../consumers/consumers.repository';
import type { UsageMove } from '../inventories/usage.repository';

/** One consumer's old and new allocations, by row ids. */
export interface ConsumerChange {
  readonly before: readonly HeldAllocation[];
  readonly after: readonly HeldAllocation[];
}

type Totals = { -readonly [K in keyof UsageMove]: UsageMove[K] } & { amounts: number[] };

class Moves {
  private readonly byRecord = new Map<string, Totals>();

  of(providerId: number, classId: number): Totals {
    const key = `${providerId}/${classId}`;
    let known = this.byRecord.get(key);
    if (known === undefined) {
      known = { providerId, classId, delta: 0, room: 0, amounts: [] };
      this.byRecord.set(key, known);
    }
    return known;
  }

  get all(): readonly Totals[] {
    return [...this.byRecord.values()];
  }
}

/**
 * Per (provider, class): new amounts less old amounts of all consumers of the request, and the amounts asked. What one
 * consumer of the request gives back, another one may take.
 */
export function usageMoves(changes: readonly ConsumerChange[]): readonly UsageMove[] {
  const moves = new Moves();
  for (const { before, after } of changes) {
    for (const old of before) moves.of(old.providerId, old.classId).delta -= old.used;
    for (const wanted of after) {
      const move = moves.of(wanted.providerId, wanted.classId);
      move.delta += wanted.used;
      move.amounts.push(wanted.used);
    }
  }
  for (const move of moves.all) move.room = Math.max(move.delta, 0);
  return moves.all;
}

/**
 * The moves of several requests as one. There must be room for all that any of them adds, whatever the others give back:
 * then each of them would have been granted alone, in every order.
 */
export function joinedMoves(requests: readonly (readonly UsageMove[])[]): readonly UsageMove[] {
  const [only] = requests;
  if (requests.length === 1 && only !== undefined) return only;
  const moves = new Moves();
  for (const { providerId, classId, delta, room, amounts } of requests.flat()) {
    const joined = moves.of(providerId, classId);
    joined.delta += delta;
    joined.room += room;
    joined.amounts.push(...amounts);
  }
  return moves.all;
}

/**
 * The providers whose generation a write raises: all that a new set names, and for a consumer that is emptied those it
 * leaves. A provider that a consumer merely moved away from is not raised.
 */
export function raisedProviders(changes: readonly ConsumerChange[]): readonly number[] {
  const ids = changes.flatMap(({ before, after }) =>
    (after.length > 0 ? after : before).map((each) => each.providerId),
  );
  return [...new Set(ids)];
}

/** How often each provider is raised by several requests, which raise it once each. */
export function joinedRaises(requests: readonly (readonly number[])[]): ReadonlyMap<number, number> {
  const raises = new Map<number, number>();
  for (const id of requests.flat()) raises.set(id, (raises.get(id) ?? 0) + 1);
  return raises;
}
