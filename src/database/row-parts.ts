// Rows that may be many are made something of in parts, so that others have their turn between two of them.
import { DATABASE_LIMITS } from '../config/limits';
import { turns } from '../turns/turns';

/** True when that was all. As many rows as nobody waits for, and fewer of those that take long. */
export function takePart<R>(rows: Iterator<R>, take: (row: R) => void): boolean {
  const began = performance.now();
  for (let taken = 0; taken < DATABASE_LIMITS.rowsPerPart; taken += 1) {
    const next = rows.next();
    if (next.done === true) return true;
    take(next.value);
    if (performance.now() - began > DATABASE_LIMITS.partMs) return false;
  }
  return false;
}

/** Of rows that are there already. */
export async function inParts<R>(rows: readonly R[], take: (row: R) => void): Promise<void> {
  const all = rows[Symbol.iterator]();
  while (!(await turns.paced(() => takePart(all, take))));
}
