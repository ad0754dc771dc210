import { byText, compareText } from './text-order';

it('orders texts by their code units, and knows equal ones', () => {
  expect(['b', 'a', 'B', 'ä', '', 'ab'].sort(compareText)).toEqual(['', 'B', 'a', 'ab', 'b', 'ä']);
  expect(compareText('a', 'a')).toBe(0);
});

it('orders items by their text, and leaves those with the same one as they come', () => {
  const items = [
    ['b', 1],
    ['a', 2],
    ['b', 3],
    ['a', 4],
  ] as const;
  expect([...items].sort(byText(([name]) => name)).map(([, at]) => at)).toEqual([2, 4, 1, 3]);
});
