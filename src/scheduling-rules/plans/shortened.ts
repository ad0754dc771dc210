// Two moves of one instance become one where the scheduler accepts it.
import type { Draft, DraftMove, DraftPoint } from './draft';

/** A try makes all moves of the draft again. */
const MOST_TRIES = 16;

export async function shortened(draft: Draft, start: DraftPoint): Promise<void> {
  const kept = new Set<DraftMove>();
  let moves = draft.moves;
  for (let tries = 0; tries < MOST_TRIES && !draft.limits.isTimeUp(); tries += 1) {
    const first = moves.find(
      (move, at) => !kept.has(move) && moves.some(({ instance }, other) => other > at && instance === move.instance),
    );
    if (first === undefined) return;
    kept.add(first);
    const rest = moves.filter((move) => move !== first);
    if (await make(draft, start, rest)) moves = rest;
    else await make(draft, start, moves);
  }
}

/** A move to the instance's own host is left out. */
async function make(draft: Draft, start: DraftPoint, moves: readonly DraftMove[]): Promise<boolean> {
  draft.undo(start);
  for (const { instance, target, reason } of moves) {
    if (draft.cloud.hostOf(instance) !== target && !(await draft.move(instance, target, reason))) return false;
  }
  return true;
}
