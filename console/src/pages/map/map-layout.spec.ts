import type { Layout } from './map-layout';
import { blockOf, cellAt, cornerOf, layoutOf, neighbourCell, TITLE_HEIGHT } from './map-layout';

const AREAS = [
  { width: 1176, height: 620 },
  { width: 342, height: 500 },
];
const CLOUDS: readonly (readonly number[])[] = [
  [1],
  [12, 7, 2],
  [3333, 3333, 3333, 1],
  Array.from({ length: 200 }, (_, index) => (index * 7) % 60),
];
const cases = AREAS.flatMap((area) => CLOUDS.map((counts) => ({ area, counts, layout: layoutOf(counts, area) })));

const cornersOf = (layout: Layout) => Array.from({ length: layout.count }, (_, cell) => cornerOf(layout, cell));

describe('the layout of the map', () => {
  it.each(cases)('finds at every corner the cell that it is the corner of ($area.width, $counts.length)', (each) => {
    const { layout, counts } = each;
    expect(layout.count).toBe(counts.reduce((sum, count) => sum + count, 0));
    const found = cornersOf(layout).map((corner) => corner && cellAt(layout, corner));
    expect(found).toEqual(Array.from({ length: layout.count }, (_, cell) => cell));
  });

  it.each(cases)('keeps all cells inside of the map ($area.width, $counts.length)', ({ layout, area }) => {
    expect(layout.width).toBe(area.width);
    for (const corner of cornersOf(layout)) {
      expect(corner?.x).toBeLessThanOrEqual(area.width - layout.pitch + 1);
      expect(corner?.y).toBeLessThanOrEqual(layout.height - layout.pitch);
    }
  });

  it('fits ten thousand hosts of four zones into a window', () => {
    const layout = layoutOf([3333, 3333, 3333, 1], { width: 1176, height: 620 });
    expect(layout.height).toBeLessThanOrEqual(620);
    expect(layout.pitch).toBeGreaterThanOrEqual(7);
  });

  it('is higher than the area if not even the smallest cells fit', () => {
    expect(layoutOf([50_000], { width: 342, height: 400 }).height).toBeGreaterThan(400);
  });

  it('has nothing if there are no cells', () => {
    const layout = layoutOf([3], { width: 1000, height: 500 });
    const below = { x: layout.pitch * 20, y: TITLE_HEIGHT + 1 };
    expect([cellAt(layout, { x: 1, y: 1 }), cellAt(layout, below)]).toEqual([undefined, undefined]);
    expect(layoutOf([], { width: 1000, height: 500 })).toMatchObject({ height: 0, count: 0 });
  });
});

describe('the keyboard on the map', () => {
  const layout = layoutOf([100, 40, 25], { width: 400, height: 300 });

  it.each(['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown', 'Home', 'End', 'PageUp', 'PageDown'])(
    'never leaves the map with %s',
    (key) => {
      for (let cell = 0; cell < layout.count; cell += 1) {
        const next = neighbourCell(layout, cell, key);
        expect(next).toBeGreaterThanOrEqual(0);
        expect(next).toBeLessThan(layout.count);
      }
    },
  );

  it('goes up and down in a column, and back', () => {
    const { columns } = layout.blocks[0] ?? { columns: 0 };
    expect(neighbourCell(layout, 1, 'ArrowDown')).toBe(1 + columns);
    expect(neighbourCell(layout, 1 + columns, 'ArrowUp')).toBe(1);
  });

  it('reaches every block from the first by going down and right', () => {
    const reached = new Set<unknown>();
    let cell = 0;
    for (let step = 0; step < layout.count; step += 1) {
      reached.add(blockOf(layout, cell));
      cell = neighbourCell(layout, cell, 'PageDown') ?? cell;
    }
    expect(reached.size).toBe(3);
  });

  it('leaves a block at its lower edge for the one below', () => {
    const stacked = layoutOf([500, 500], { width: 200, height: 1500 });
    const [upper, lower] = stacked.blocks;
    expect(lower?.top).toBeGreaterThan(upper?.top ?? 0);
    expect(neighbourCell(stacked, 499, 'ArrowDown')).toBeGreaterThanOrEqual(500);
    expect(neighbourCell(stacked, 500, 'ArrowUp')).toBeLessThan(500);
  });
});
