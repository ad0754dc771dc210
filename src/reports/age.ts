/** In whole seconds, at least 0 even if the clock was set back. Null: there is no result yet. */
export const ageSeconds = (atMs: number | null, nowMs: number): number | null =>
  atMs === null ? null : Math.max(0, Math.round((nowMs - atMs) / 1_000));
