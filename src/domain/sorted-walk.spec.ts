import { ascending, mergedWalk, SORTED_PER_STEP, sortedWalk } from './sorted-walk';
import { finish } from './walk';
import type { Walk } from './walk';

const COUNT = 25_000;
const shuffled = Array.from({ length: COUNT }, (_, at) => (at * 7_919) % COUNT);
const upTo = Array.from({ length: COUNT }, (_, at) => at);

/** The largest number of comparisons between two yields. */
function mostAsked(walkOf: (compare: typeof ascending) => Walk<unknown>): number {
  let [asked, most] = [0, 0];
  const walk = walkOf((first, second) => {
    asked += 1;
    return first - second;
  });
  for (let isDone = false; !isDone; asked = 0) {
    isDone = walk.next().done === true;
    most = Math.max(most, asked);
  }
  return most;
}

/** Worst-case comparisons for sorting one step. */
const BOUND = SORTED_PER_STEP * Math.ceil(Math.log2(SORTED_PER_STEP));

it.each([
  { name: 'shuffled', items: shuffled },
  { name: 'ascending', items: upTo },
  { name: 'descending', items: [...upTo].reverse() },
  { name: 'in two interleaved parts', items: upTo.map((at) => (2 * at) % (COUNT + 1)) },
])('sorts what is $name, a bounded part of it between two turns', ({ items }) => {
  expect(finish(sortedWalk(items, ascending))).toEqual([...items].sort(ascending));
  expect(mostAsked((compare) => sortedWalk(items, compare))).toBeLessThanOrEqual(BOUND);
});

it.each([[[]], [[1]], [[2, 1]]])('sorts the few %j as well', (items: number[]) => {
  expect(finish(sortedWalk(items, ascending))).toEqual([...items].sort(ascending));
});

it('keeps those that are alike in the order they came', () => {
  const pairs = shuffled.map((at) => ({ key: at % 10, at }));
  const sorted = finish(sortedWalk(pairs, (one, other) => one.key - other.key));
  expect(sorted).toEqual([...pairs].sort((one, other) => one.key - other.key));
});

it('merges in bounded parts, wherever the longer list is', () => {
  const [few, many] = [[0, COUNT / 2, COUNT], upTo];
  for (const [first, second] of [[few, many] as const, [many, few] as const]) {
    expect(finish(mergedWalk(first, second, ascending))).toEqual([...few, ...many].sort(ascending));
    expect(mostAsked((compare) => mergedWalk(first, second, compare))).toBeLessThanOrEqual(2 * SORTED_PER_STEP);
  }
});
