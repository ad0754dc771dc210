// The minimum width of a table; in a narrower container it scrolls.

/** Gap between columns and padding at both ends; must match data-table.module.css. */
const GAP = 12;
const PADDING = 14;
/** Width of a column without a pixel width. */
const LEAST = 80;

/** Sum in pixels of grid tracks such as `120px`, `minmax(80px, 1fr)` or `2fr`. */
export function leastWidth(tracks: readonly string[]): number {
  const columns = tracks.reduce((sum, track) => sum + Number(/^(?:minmax\()?(\d+)px/.exec(track)?.[1] ?? LEAST), 0);
  return columns + GAP * Math.max(0, tracks.length - 1) + 2 * PADDING;
}
