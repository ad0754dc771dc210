// From "what they had" and "what they want" to the moves of each inventory record. Pure.
import type { HeldAllocation } from '../consumers/consumers.repository';
import type { UsageMove } from '../inventories/usage.repository';

/** One consumer's old and new allocations, by row ids. */
export interface ConsumerChange {
  readonly before: readonly HeldAllocation[];
  readonly after: readonly HeldAllocation[];
}

/**
 * Per (provider, class): new amounts less old amounts of all consumers of the request, and the amounts asked. What one
 * consumer of the request gives back, another one may take.
 */
export function usageMoves(changes: readonly ConsumerChange[]): readonly UsageMove[] {
  const moves = new Map<string, { providerId: number; classId: number; delta: number; amounts: number[] }>();
  const moveOf = ({ providerId, classId }: HeldAllocation): { delta: number; amounts: number[] } => {
    const key = `${providerId}/${classId}`;
    const known = moves.get(key) ?? { providerId, classId, delta: 0, amounts: [] };
    moves.set(key, known);
    return known;
  };
  for (const { before, after } of changes) {
    for (const old of before) moveOf(old).delta -= old.used;
    for (const wanted of after) {
      const move = moveOf(wanted);
      move.delta += wanted.used;
      move.amounts.push(wanted.used);
    }
  }
  return [...moves.values()];
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
