// Stamps of nova's rows: `YYYY-MM-DD HH:MM:SS`, UTC, whole seconds. As texts they sort by time.

const FIRST = '1970-01-01 00:00:00';

/** Null for NULL and for text that is no stamp. A fraction is ignored. */
export function millisecondsOf(stamp: string | null): number | null {
  if (stamp === null) return null;
  const at = Date.parse(`${stamp.slice(0, 19).replace(' ', 'T')}Z`);
  return Number.isNaN(at) ? null : at;
}

const stampOf = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ');

export const later = (one: string | null, other: string | null): string | null =>
  one === null || (other !== null && other > one) ? other : one;

/**
 * The stamp from which a table is read again: the newest stamp read, minus the overlap. A stamp ahead of the database's
 * clock counts as that clock, so one wrong clock does not hide the rows of all others.
 */
export function readFrom(newest: string | null, databaseNow: string, overlapMs: number): string {
  const at = millisecondsOf(newest === null || newest > databaseNow ? (newest === null ? null : databaseNow) : newest);
  return at === null ? FIRST : stampOf(Math.max(0, at - overlapMs));
}
