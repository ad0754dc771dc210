import { firstToMove } from './first-to-move';

const holders = (...amounts: number[]) => amounts.map((amount, at) => ({ uuid: `u${at}`, amount }));
const moved = (amounts: number[], excess: number): number[] =>
  firstToMove(holders(...amounts), excess).map(({ amount }) => amount);

describe('the consumers that leave an over-full provider first', () => {
  it.each([
    [[8, 4, 2], 3, [4]],
    [[8, 4, 2], 8, [8]],
    [[8, 4, 2], 9, [8, 2]],
    [[8, 4, 2], 13, [8, 4, 2]],
    [[2, 2], 10, [2, 2]],
    [[], 1, []],
    [[4], 0, []],
  ])('of %j, to free %d: %j', (amounts, excess, expected) => {
    expect(moved(amounts, excess)).toEqual(expected);
  });
});
