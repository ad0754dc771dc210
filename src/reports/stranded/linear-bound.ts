// Prices for room: what the best whole packing can be worth at most, told by the linear relaxation of it. Prices that
// are good for one amount of room are good for every other, so one set of them bounds a whole search.

/** What is packed: of each dimension so much, dense; and what one is worth. */
export interface PackedItem {
  readonly takes: Float64Array;
  readonly worth: number;
}

/** Numbers below this are taken for zero. */
const TINY = 1e-9;
const PIVOTS_MAX = 400;
/** Cells of the tableau that all pivots together may write: a millisecond or two. */
const CELLS_MAX = 2_000_000;

interface Relaxation {
  /**
   * Prices of one unit of each dimension. Law: no item is worth more than what it takes costs, so that no packing is worth
   * more than the room it is packed into; whatever the arithmetic did, because they are raised until that holds.
   */
  readonly prices: Float64Array;
  /** How often each item would be packed if parts of items could be. A hint, and nothing more. */
  readonly counts: Float64Array;
}

export function relaxed(items: readonly PackedItem[], rooms: Float64Array): Relaxation {
  const { prices, counts } = simplex(items, rooms);
  const found = raised(prices, items);
  const simple = raised(singlePrice(items, rooms), items);
  if (found === null) {
    return { prices: simple ?? new Float64Array(rooms.length).fill(Number.POSITIVE_INFINITY), counts };
  }
  return { prices: simple === null || costOf(found, rooms) <= costOf(simple, rooms) ? found : simple, counts };
}

/** What the room costs. */
export function costOf(prices: Float64Array, rooms: Float64Array): number {
  let cost = 0;
  for (let at = 0; at < rooms.length; at += 1) cost += (prices[at] ?? 0) * (rooms[at] ?? 0);
  return cost;
}

/** Prices raised until they cover every item; null where an item takes nothing that has a price. */
function raised(prices: Float64Array, items: readonly PackedItem[]): Float64Array | null {
  let factor = 0;
  for (const { takes, worth } of items) {
    const cost = costOf(prices, takes);
    if (!(cost > 0)) return null;
    factor = Math.max(factor, worth / cost);
  }
  return prices.map((price) => price * factor);
}

/** The one dimension whose room alone bounds most. */
function singlePrice(items: readonly PackedItem[], rooms: Float64Array): Float64Array {
  const prices = new Float64Array(rooms.length);
  let [best, least] = [-1, Number.POSITIVE_INFINITY];
  for (let at = 0; at < rooms.length; at += 1) {
    let dearest = 0;
    for (const { takes, worth } of items) dearest = Math.max(dearest, worth / (takes[at] ?? 0));
    const bound = dearest * (rooms[at] ?? 0);
    if (bound < least) [best, least] = [at, bound];
  }
  if (best >= 0) prices[best] = 1;
  return prices;
}

/**
 * `max worth, takes <= rooms` and its duals by the primal simplex method on a dense tableau. Each row is scaled by its
 * room, which makes all numbers of about one size. Stopped early, the duals are prices all the same once they are raised.
 */
function simplex(items: readonly PackedItem[], rooms: Float64Array): Relaxation {
  const [rows, columns] = [rooms.length, items.length];
  const width = columns + rows + 1;
  const prices = new Float64Array(rows);
  const counts = new Float64Array(columns);
  if (width * rows > CELLS_MAX / rows) return { prices, counts };
  const basis = Array.from({ length: rows }, (_, row) => columns + row);
  const dearest = items.reduce((most, { worth }) => Math.max(most, worth), 0);
  const table: Float64Array[] = [];
  for (let row = 0; row < rows; row += 1) {
    const line = new Float64Array(width);
    const room = rooms[row] ?? 1;
    for (let column = 0; column < columns; column += 1) line[column] = (items[column]?.takes[row] ?? 0) / room;
    line[columns + row] = 1;
    line[width - 1] = 1;
    table.push(line);
  }
  const goal = new Float64Array(width);
  for (let column = 0; column < columns; column += 1) goal[column] = -(items[column]?.worth ?? 0) / dearest;
  const pivotsMax = Math.min(PIVOTS_MAX, CELLS_MAX / (width * (rows + 1)));
  for (let pivots = 0; pivots < pivotsMax; pivots += 1) {
    // The steepest column at first; the first one later, which cannot go round in circles.
    const column = enteringColumn(goal, pivots > pivotsMax / 2);
    if (column < 0) break;
    const row = leavingRow(table, column);
    if (row < 0) break;
    pivot(table, goal, row, column);
    basis[row] = column;
  }
  for (let row = 0; row < rows; row += 1) {
    prices[row] = (Math.max(0, goal[columns + row] ?? 0) * dearest) / (rooms[row] ?? 1);
    const column = basis[row] ?? columns;
    if (column < columns) counts[column] = table[row]?.[width - 1] ?? 0;
  }
  return { prices, counts };
}

function enteringColumn(goal: Float64Array, isFirst: boolean): number {
  let [found, steepest] = [-1, -TINY];
  for (let column = 0; column < goal.length - 1; column += 1) {
    const slope = goal[column] ?? 0;
    if (slope >= steepest) continue;
    if (isFirst) return column;
    [found, steepest] = [column, slope];
  }
  return found;
}

function leavingRow(table: readonly Float64Array[], column: number): number {
  let [found, least] = [-1, Number.POSITIVE_INFINITY];
  for (let row = 0; row < table.length; row += 1) {
    const line = table[row];
    const by = line?.[column] ?? 0;
    if (line === undefined || by <= TINY) continue;
    const ratio = (line[line.length - 1] ?? 0) / by;
    if (ratio < least) [found, least] = [row, ratio];
  }
  return found;
}

function pivot(table: readonly Float64Array[], goal: Float64Array, row: number, column: number): void {
  const line = table[row];
  if (line === undefined) return;
  const by = line[column] ?? 1;
  for (let at = 0; at < line.length; at += 1) line[at] = (line[at] ?? 0) / by;
  for (const other of [...table, goal]) {
    const factor = other === line ? 0 : (other[column] ?? 0);
    if (factor === 0) continue;
    for (let at = 0; at < line.length; at += 1) other[at] = (other[at] ?? 0) - factor * (line[at] ?? 0);
  }
}
