import { AscendingIds } from './ascending-ids';

const upTo = (last: number): readonly number[] => Array.from({ length: last + 1 }, (_, id) => id);

describe('AscendingIds', () => {
  it.each([
    { lists: [], holds: [] },
    { lists: [[]], holds: [] },
    { lists: [[5]], holds: [5] },
    { lists: [[0, 1, 2]], holds: [0, 1, 2] },
    { lists: [[3, 40], [], [4, 39, 40]], holds: [3, 4, 39, 40] },
    { lists: [upTo(50).filter((id) => id % 7 === 3)], holds: [3, 10, 17, 24, 31, 38, 45] },
  ])('finds exactly $holds in $lists', ({ lists, holds }) => {
    const ids = new AscendingIds(lists);
    expect(upTo(50).filter((id) => ids.has(id))).toEqual(holds);
  });

  it('skips any distance and gives a repeated query the same result', () => {
    const listed = upTo(10_000).map((id) => 3 * id);
    for (const step of [1, 2, 5, 100, 4_097, 29_999]) {
      const ids = new AscendingIds([listed]);
      const asked = upTo(30_001).filter((id) => id % step === 0);
      const wrong = asked.filter((id) => {
        const isHeld = id % 3 === 0 && id <= 30_000;
        return ids.has(id) !== isHeld || ids.has(id) !== isHeld;
      });
      expect({ step, wrong }).toEqual({ step, wrong: [] });
    }
  });
});
