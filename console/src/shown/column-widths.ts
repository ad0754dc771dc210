// How wide a table is at least; below, it scrolls.

/** Gap between columns and padding at both ends, as data-table.module.css has them. */
const GAP = 12;
const PADDING = 14;
/** What a column takes whose width names no pixels. */
const LEAST = 80;

/** Of grid tracks as `120px`, `minmax(80px, 1fr)` or `2fr`, in pixels. */
export function leastWidth(tracks: readonly string[]): number {
  const columns = tracks.reduce((sum, track) => sum + Number(/^(?:minmax\()?(\d+)px/.exec(track)?.[1] ?? LEAST), 0);
  return columns + GAP * Math.max(0, tracks.length - 1) + 2 * PADDING;
}
