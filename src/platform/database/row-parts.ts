// Processes many rows in parts and yields to the event loop in between.
import { DATABASE_LIMITS } from '../config/limits/database';
import { tasks } from '../event-loop/task-scheduler';

/** Processes one part, limited in rows and time. Returns true if the rows are exhausted. */
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

/** For rows that are already in memory. */
export async function inParts<R>(rows: readonly R[], take: (row: R) => void): Promise<void> {
  const all = rows[Symbol.iterator]();
  while (!(await tasks.paced(() => takePart(all, take))));
}
