// Computes the position of every cell of the map. It stores nothing per cell, so the cost depends on groups, not hosts.
// Groups are blocks of cells on shelves; the number of rows maximises the cell size.
//
//   harbour 12      quay 7        No zone 2
//   ■■■■            ■■■           ■■
//   ■■■■            ■■■
//   ■■■■            ■

export interface Block {
  readonly left: number;
  /** Top of the title; cells begin TITLE_HEIGHT below. */
  readonly top: number;
  readonly width: number;
  readonly columns: number;
  readonly rows: number;
  /** The number of its first cell; cells are numbered across all blocks. */
  readonly first: number;
  readonly count: number;
}

export interface Layout {
  /** Distance from one cell to the next. */
  readonly pitch: number;
  /** The part of the pitch between two cells. */
  readonly gap: number;
  readonly width: number;
  readonly height: number;
  readonly count: number;
  readonly blocks: readonly Block[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

export const TITLE_HEIGHT = 22;
const BLOCK_GAP = 16;
const SHELF_GAP = 14;
/** Minimum width for a title. */
const MIN_BLOCK_WIDTH = 128;
const PITCHES = [88, 80, 72, 64, 56, 48, 40, 32, 28, 24, 22, 20, 18, 16, 14, 13, 12, 11, 10, 9, 8, 7, 6];
/** If even the smallest cells do not fit, the map scrolls, with cells that are easy to click. */
const SCROLLED_PITCH = 10;
const ROWS_TRIED = 40;

/** The largest cells with which all groups fit into the area; otherwise a map that is higher than the area. */
export function layoutOf(counts: readonly number[], area: { readonly width: number; readonly height: number }): Layout {
  const width = Math.max(area.width, MIN_BLOCK_WIDTH);
  for (const pitch of PITCHES) {
    const best = bestShelves(counts, width, pitch, area.height);
    if (best.height <= area.height) return best;
  }
  return bestShelves(counts, width, SCROLLED_PITCH, Number.POSITIVE_INFINITY);
}

function bestShelves(counts: readonly number[], width: number, pitch: number, height: number): Layout {
  const most = Math.max(1, ...counts);
  const columns = columnsIn(width, pitch);
  const highest = Number.isFinite(height)
    ? Math.min(most, Math.max(1, Math.floor((height - TITLE_HEIGHT) / pitch)))
    : Math.ceil(most / columns);
  const step = Math.max(1, Math.floor(highest / ROWS_TRIED));
  let best: Layout | undefined;
  for (let rows = 1; rows <= highest; rows += step) {
    const tried = shelves(counts, { width, pitch, rows });
    if (best === undefined || tried.height < best.height) best = tried;
  }
  return best ?? shelves(counts, { width, pitch, rows: 1 });
}

const columnsIn = (width: number, pitch: number): number => Math.max(1, Math.floor(width / pitch));

function shelves(
  counts: readonly number[],
  { width, pitch, rows }: { readonly width: number; readonly pitch: number; readonly rows: number },
): Layout {
  const blocks: Block[] = [];
  let left = 0;
  let top = 0;
  let shelf = 0;
  let first = 0;
  for (const count of counts) {
    const columns = Math.min(Math.max(1, Math.ceil(count / rows)), columnsIn(width, pitch));
    const filled = Math.ceil(count / columns);
    const block = { columns, rows: filled, width: Math.max(MIN_BLOCK_WIDTH, columns * pitch), first, count };
    if (left > 0 && left + block.width > width) {
      top += shelf + SHELF_GAP;
      left = 0;
      shelf = 0;
    }
    blocks.push({ ...block, left, top });
    left += block.width + BLOCK_GAP;
    shelf = Math.max(shelf, TITLE_HEIGHT + filled * pitch);
    first += count;
  }
  const gap = pitch >= 20 ? 2 : 1;
  return { pitch, gap, width, height: counts.length === 0 ? 0 : top + shelf, count: first, blocks };
}

/** Upper left corner of a cell. */
export function cornerOf(layout: Layout, cell: number): Point | undefined {
  const block = blockOf(layout, cell);
  if (block === undefined) return undefined;
  const { left, top, columns, first } = block;
  const at = cell - first;
  return { x: left + (at % columns) * layout.pitch, y: top + TITLE_HEIGHT + Math.floor(at / columns) * layout.pitch };
}

export const blockOf = ({ blocks }: Layout, cell: number): Block | undefined =>
  blocks.find(({ first, count }) => cell >= first && cell < first + count);

/** The cell at a point. The gap after a cell belongs to that cell. */
export function cellAt(layout: Layout, { x, y }: Point): number | undefined {
  const { blocks, pitch } = layout;
  for (const { left, top, columns, rows, first, count } of blocks) {
    const column = Math.floor((x - left) / pitch);
    const row = Math.floor((y - top - TITLE_HEIGHT) / pitch);
    if (column < 0 || column >= columns || row < 0 || row >= rows) continue;
    const at = row * columns + column;
    return at < count ? first + at : undefined;
  }
  return undefined;
}

/** The cell that a keyboard key moves to; undefined for other keys. */
export function neighbourCell(layout: Layout, cell: number, key: string): number | undefined {
  const block = blockOf(layout, cell);
  if (block === undefined) return layout.count > 0 ? 0 : undefined;
  const { blocks, count } = layout;
  const { first, columns } = block;
  const place = blocks.indexOf(block);
  switch (key) {
    case 'ArrowLeft':
      return Math.max(0, cell - 1);
    case 'ArrowRight':
      return Math.min(count - 1, cell + 1);
    case 'ArrowUp':
      return cell - columns >= first ? cell - columns : nextShelf(layout, cell, -1);
    case 'ArrowDown':
      return cell + columns < first + block.count ? cell + columns : nextShelf(layout, cell, 1);
    case 'Home':
      return first;
    case 'End':
      return first + block.count - 1;
    case 'PageUp':
      return blocks[Math.max(0, place - 1)]?.first;
    case 'PageDown':
      return blocks[Math.min(blocks.length - 1, place + 1)]?.first;
    default:
      return undefined;
  }
}

/** The cell in the nearest block above or below, or the cell itself. */
function nextShelf(layout: Layout, cell: number, direction: 1 | -1): number {
  const from = cornerOf(layout, cell);
  const own = blockOf(layout, cell);
  if (from === undefined || own === undefined) return cell;
  let best: Block | undefined;
  let least = Number.POSITIVE_INFINITY;
  for (const block of layout.blocks) {
    const down = (block.top - own.top) * direction;
    const right = block.left + (block.columns - 1) * layout.pitch;
    const aside = Math.max(0, block.left - from.x, from.x - right);
    // One shelf of vertical distance exceeds any horizontal distance.
    const far = down * layout.width + aside;
    if (down > 0 && far < least) {
      best = block;
      least = far;
    }
  }
  if (best === undefined) return cell;
  const column = Math.min(best.columns - 1, Math.max(0, Math.round((from.x - best.left) / layout.pitch)));
  const row = direction === 1 ? 0 : best.rows - 1;
  const at = row * best.columns + column;
  return best.first + (at < best.count ? at : Math.max(0, best.count - 1));
}
