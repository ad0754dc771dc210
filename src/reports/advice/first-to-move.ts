// The consumers that leave an over-full provider first: as few as possible, and no larger than necessary.

export interface Holder {
  readonly uuid: string;
  readonly amount: number;
}

/** The smallest holder that frees the excess alone; otherwise the largest ones until it is freed. */
export function firstToMove(holders: readonly Holder[], excess: number): readonly Holder[] {
  const falling = [...holders].sort((one, other) => other.amount - one.amount || (one.uuid < other.uuid ? -1 : 1));
  const chosen: Holder[] = [];
  let left = excess;
  while (left > 0) {
    const rest = falling.slice(chosen.length);
    const enough = rest.filter(({ amount }) => amount >= left).at(-1);
    const next = enough ?? rest[0];
    if (next === undefined) break;
    chosen.push(next);
    left -= next.amount;
    if (enough !== undefined) break;
  }
  return chosen;
}
