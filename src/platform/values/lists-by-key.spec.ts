import { addTo } from './lists-by-key';

it('gathers values by their keys, each in the order in which it came', () => {
  const lists = new Map<string, number[]>();
  for (const [key, value] of [['b', 1] as const, ['a', 2] as const, ['b', 3] as const]) addTo(lists, key, value);
  expect([...lists]).toEqual([
    ['b', [1, 3]],
    ['a', [2]],
  ]);
});
