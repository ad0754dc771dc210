import { seededRandom } from '../../platform/values/random';
import type { PackingItem, PackingRooms } from './packing';
import { greedyPacking } from './packing';

const roomsOf = (...left: readonly number[]): PackingRooms => ({ left, most: left.map(() => 1_000) });

const item = (value: number, ...amounts: readonly number[]): PackingItem => ({
  value,
  takes: amounts.flatMap((amount, at) => (amount > 0 ? [{ at, amount }] : [])),
});

/** The highest value of all sequences of placements. */
function exhaustive(rooms: readonly number[], items: readonly PackingItem[]): number {
  let best = 0;
  for (const { takes, value } of items) {
    const left = [...rooms];
    for (const { at, amount } of takes) left[at] = (left[at] ?? 0) - amount;
    if (left.every((room) => room >= 0)) best = Math.max(best, value + exhaustive(left, items));
  }
  return best;
}

describe('a greedy packing', () => {
  it('is nothing if nothing fits', () => {
    const packing = greedyPacking(roomsOf(3, 0), [item(1, 4, 0), item(1, 1, 1)]);
    expect(packing).toEqual({ value: 0, isExact: true, left: [3, 0] });
  });

  it('is exact with one item', () => {
    expect(greedyPacking(roomsOf(10, 7), [item(2, 3, 2)])).toEqual({ value: 6, isExact: true, left: [1, 1] });
  });

  it('starts with the item that gets the most out of the rooms alone', () => {
    const packing = greedyPacking(roomsOf(16, 8), [item(4, 4, 8), item(2, 2, 1)], 16);
    expect(packing).toEqual({ value: 16, isExact: true, left: [0, 0] });
  });

  it('is a bound if a better packing exists', () => {
    const packing = greedyPacking(roomsOf(10, 100), [item(6, 6, 1), item(5, 5, 1)]);
    expect(packing).toEqual({ value: 6, isExact: false, left: [4, 99] });
  });

  it('is exact if the values have a common divisor that exceeds the rest of the room', () => {
    expect(greedyPacking(roomsOf(1, 4_500), [item(512, 0, 512), item(1_024, 1, 1_024)])).toMatchObject({
      value: 4_096,
      isExact: true,
    });
  });

  it('places no item that takes more of a room than one item can take', () => {
    const rooms = { left: [10, 10], most: [3, 10] };
    expect(greedyPacking(rooms, [item(4, 4, 1), item(3, 3, 1)])).toMatchObject({ value: 9, isExact: true });
  });

  it('fits, leaves no room for a further item, and is a lower bound; if exact, the best packing', () => {
    const random = seededRandom(7);
    const upTo = (most: number): number => Math.floor(random() * (most + 1));
    let [exact, best] = [0, 0];
    for (let round = 0; round < 600; round += 1) {
      const dimensions = 1 + upTo(3);
      const rooms = Array.from({ length: dimensions }, () => upTo(12));
      const items = Array.from({ length: 1 + upTo(4) }, () => {
        const amounts = rooms.map(() => (upTo(2) === 0 ? 0 : 1 + upTo(5)));
        amounts[upTo(dimensions - 1)] = 2 + upTo(5);
        return item(1 + upTo(4), ...amounts);
      });
      const { value, isExact, left } = greedyPacking(roomsOf(...rooms), items);
      const most = exhaustive(rooms, items);
      expect([JSON.stringify({ rooms, items }), isExact ? value === most : value <= most]).toEqual([
        expect.anything(),
        true,
      ]);
      expect(left.every((room) => room >= 0)).toBe(true);
      for (const { takes } of items) expect(takes.some(({ at, amount }) => amount > (left[at] ?? 0))).toBe(true);
      if (isExact) exact += 1;
      if (value === most) best += 1;
    }
    expect([exact, best].map((count) => count > 300)).toEqual([true, true]);
  });
});
