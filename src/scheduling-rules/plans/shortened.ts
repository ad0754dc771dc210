// Two moves of one instance become one where the scheduler accepts it.
import type { Draft, DraftMove, DraftPoint } from './draft';

/** Drafts of so many moves are made again once, with all such moves joined. */
const MOST_MOVES = 1_000;
/** Drafts of so many moves are made again several times, with one such move joined each time. */
const FEW_MOVES = 100;
const MOST_TRIES = 16;

export async function shortened(draft: Draft, start: DraftPoint): Promise<void> {
  const isLeftAgain = (moves: readonly DraftMove[], at: number): boolean =>
    moves.some(({ instance }, other) => other > at && instance === moves[at]?.instance);
  const lastAt = new Map(draft.moves.map(({ instance }, at) => [instance, at]));
  let moves = draft.moves;
  if (lastAt.size === moves.length || moves.length > MOST_MOVES) return;
  if (
    await remade(
      draft,
      start,
      moves,
      moves.filter(({ instance }, at) => lastAt.get(instance) === at),
    )
  )
    return;
  const kept = new Set<DraftMove>();
  for (let tries = 0; tries < MOST_TRIES && moves.length <= FEW_MOVES; tries += 1) {
    const first = moves.find((move, at) => !kept.has(move) && isLeftAgain(moves, at));
    if (first === undefined) return;
    kept.add(first);
    const fewer = moves.filter((move) => move !== first);
    if (await remade(draft, start, moves, fewer)) moves = fewer;
  }
}

/** Makes the fewer moves instead; false: the scheduler refuses one, and the draft has its moves. */
async function remade(
  draft: Draft,
  start: DraftPoint,
  moves: readonly DraftMove[],
  fewer: readonly DraftMove[],
): Promise<boolean> {
  if (draft.limits.isTimeUp()) return false;
  for (const tried of [fewer, moves]) {
    draft.undo(start);
    let isMade = true;
    for (const { instance, target, reason } of tried) {
      // Back on its first host: no move.
      isMade &&= draft.cloud.hostOf(instance) === target || (await draft.move(instance, target, reason));
    }
    if (isMade) return tried === fewer;
  }
  return false;
}
