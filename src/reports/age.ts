/** In whole seconds, never below none: clocks are set back. Null: there is nothing yet. */
export const ageSeconds = (atMs: number | null, nowMs: number): number | null =>
  atMs === null ? null : Math.max(0, Math.round((nowMs - atMs) / 1_000));
