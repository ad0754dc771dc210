import { seededRandom } from '../../domain/random';
import { costOf, relaxed } from './linear-bound';
import { bestPacking, roomsLeft, undominated } from './packing';
import type { PackingItem, PackingRooms } from './packing';

const BOUNDS = { steps: 2_000, items: 500 };

const roomsOf = (...left: readonly number[]): PackingRooms => ({ left, most: left.map(() => 1_000) });

const item = (worth: number, ...amounts: readonly number[]): PackingItem => ({
  worth,
  takes: amounts.flatMap((amount, at) => (amount > 0 ? [{ at, amount }] : [])),
});

/** All ways there are, one after the other. */
function exhaustive(rooms: readonly number[], items: readonly PackingItem[]): number {
  let best = 0;
  for (const { takes, worth } of items) {
    const left = [...rooms];
    for (const { at, amount } of takes) left[at] = (left[at] ?? 0) - amount;
    if (left.every((room) => room >= 0)) best = Math.max(best, worth + exhaustive(left, items));
  }
  return best;
}

describe('the best packing', () => {
  it('is nothing where nothing fits', () => {
    expect(bestPacking(roomsOf(3, 0), [item(1, 4, 0), item(1, 1, 1)], BOUNDS)).toMatchObject({
      worth: 0,
      isExact: true,
      counts: [0, 0],
    });
  });

  it('leaves out what looks best by itself where the rest is worth more', () => {
    const packing = bestPacking(roomsOf(10, 100), [item(6, 6, 1), item(5, 5, 1)], BOUNDS);
    expect(packing).toMatchObject({ worth: 10, isExact: true, counts: [0, 2] });
  });

  it('places nothing that takes more of a room at once than may be taken', () => {
    const rooms = { left: [10, 10], most: [3, 10] };
    expect(bestPacking(rooms, [item(4, 4, 1), item(3, 3, 1)], BOUNDS)).toMatchObject({ worth: 9, isExact: true });
  });

  it('takes each part that shares no room with others by itself', () => {
    const items = [item(7, 7, 0, 1), item(4, 4, 0, 1), item(7, 0, 7, 1), item(4, 0, 4, 1)];
    expect(bestPacking(roomsOf(16, 15, 1_000), items, BOUNDS)).toMatchObject({ worth: 31, isExact: true });
    expect(bestPacking(roomsOf(16, 15, 3), items, BOUNDS)).toMatchObject({ worth: 21, isExact: true });
  });

  it('is that of all ways there are, for any rooms and items', () => {
    const random = seededRandom(7);
    const upTo = (most: number): number => Math.floor(random() * (most + 1));
    let exact = 0;
    for (let round = 0; round < 400; round += 1) {
      const dimensions = 1 + upTo(3);
      const rooms = Array.from({ length: dimensions }, () => upTo(12));
      const items = Array.from({ length: 1 + upTo(4) }, () => {
        const amounts = rooms.map(() => (upTo(2) === 0 ? 0 : 1 + upTo(5)));
        amounts[upTo(dimensions - 1)] = 2 + upTo(5);
        return item(1 + upTo(4), ...amounts);
      });
      const packing = bestPacking(roomsOf(...rooms), undominated(items), BOUNDS);
      const best = exhaustive(rooms, items);
      expect([JSON.stringify({ rooms, items }), packing.worth]).toEqual([expect.anything(), best]);
      if (packing.isExact) exact += 1;
      const worth = undominated(items).reduce((sum, each, at) => sum + each.worth * (packing.counts[at] ?? 0), 0);
      expect(worth).toBe(packing.worth);
      expect(roomsLeft(rooms, undominated(items), packing.counts).every((room) => room >= 0)).toBe(true);
    }
    expect(exact).toBeGreaterThan(390);
  });

  it('without the steps for it is a sequence that leaves room for nothing more, and is not called exact', () => {
    const items = [item(13, 13, 7), item(11, 11, 9), item(7, 7, 5)];
    const packing = bestPacking(roomsOf(1_000, 640), items, { steps: 2, items: 500 });
    expect(packing.isExact).toBe(false);
    const left = roomsLeft([1_000, 640], items, packing.counts);
    for (const { takes } of items) expect(takes.some(({ at, amount }) => amount > (left[at] ?? 0))).toBe(true);
  });

  it('looks at so many items and says when there were more', () => {
    const items = Array.from({ length: 5 }, (_, at) => item(1, 5 - at));
    expect(bestPacking(roomsOf(10), items, { steps: 100, items: 4 })).toMatchObject({ isExact: false, worth: 5 });
    expect(bestPacking(roomsOf(10), items, { steps: 100, items: 5 })).toMatchObject({ isExact: true, worth: 10 });
  });
});

describe('prices of rooms', () => {
  it('cover every item, whatever the numbers', () => {
    const random = seededRandom(11);
    for (let round = 0; round < 300; round += 1) {
      const size = 1 + Math.floor(random() * 5);
      const rooms = Float64Array.from({ length: size }, () => 1 + Math.floor(random() * 1e6));
      const items = Array.from({ length: 1 + Math.floor(random() * 12) }, () => {
        const takes = rooms.map((room) => (random() < 0.4 ? 0 : Math.ceil(random() * room)));
        const at = Math.floor(random() * size);
        takes[at] = Math.max(1, takes[at] ?? 0);
        return { takes, worth: 1 + Math.floor(random() * 1e5) };
      });
      const { prices } = relaxed(items, rooms);
      for (const { takes, worth } of items) expect(costOf(prices, takes)).toBeGreaterThanOrEqual(worth * (1 - 1e-12));
    }
  });
});
