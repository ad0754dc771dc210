import { firstAfter } from './first-after';
import { seededRandom } from './random';

const compare = (a: number, b: number): number => a - b;
const keyOf = (entry: number): number => entry;

it('gives the pages that sorting everything would give', () => {
  const random = seededRandom(11);
  for (const length of [0, 1, 5, 600, 3_000]) {
    const entries = [...new Set(Array.from({ length }, () => Math.floor(random() * 1e9)))];
    const sorted = [...entries].sort(compare);
    for (const count of [1, 7, 300, 5_000]) {
      for (const at of [-1, 0, Math.floor(sorted.length / 2), sorted.length - 1]) {
        const after = sorted[at];
        const expected = sorted.slice(at + 1).slice(0, count);
        if (at >= 0 && after === undefined) continue;
        expect(firstAfter(entries, { count, after }, { keyOf, compare })).toEqual(expected);
      }
    }
  }
});

it('compares an entry about once if few are asked for, in whichever order they come', () => {
  for (const direction of [1, -1]) {
    let compared = 0;
    const entries = Array.from({ length: 50_000 }, (_, at) => at * direction);
    const counted = (a: number, b: number): number => {
      compared += 1;
      return a - b;
    };
    firstAfter(entries, { count: 50, after: undefined }, { keyOf, compare: counted });
    // In descending order every entry is the lowest so far, so the cost is that of sorting 512 entries at a time.
    expect(compared).toBeLessThan(50_000 * (direction === 1 ? 1.3 : 12));
  }
});
