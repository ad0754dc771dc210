import { AppendOnlyMap, AppendOnlySet } from './append-only';

describe('a map that has grown', () => {
  const first = AppendOnlyMap.of(new Map([['a', 1]]));
  const second = first.with('b', 2);
  const third = second.with('c', 3);

  it('leaves those that it grew from as they were', () => {
    expect([[...first], [...second], [...third]]).toEqual([
      [['a', 1]],
      [...Object.entries({ a: 1, b: 2 })],
      [...Object.entries({ a: 1, b: 2, c: 3 })],
    ]);
    expect([first.size, first.has('b'), first.get('b')]).toEqual([1, false, undefined]);
    expect([second.size, second.has('b'), second.get('b'), second.has('c')]).toEqual([2, true, 2, false]);
    expect([[...second.keys()], [...second.values()]]).toEqual([
      ['a', 'b'],
      [1, 2],
    ]);
  });

  it('can grow in two directions', () => {
    const other = first.with('x', 9);
    expect([...other]).toEqual([...Object.entries({ a: 1, x: 9 })]);
    expect([...third.keys()]).toEqual(['a', 'b', 'c']);
    expect(other.has('b')).toBe(false);
  });

  it('takes another value for a key that is there', () => {
    expect([...third.with('b', 5)]).toEqual([...Object.entries({ a: 1, b: 5, c: 3 })]);
    expect(third.get('b')).toBe(2);
  });

  it('visits its own entries only', () => {
    const seen: [string, number][] = [];
    second.forEach((value, key) => seen.push([key, value]));
    expect(seen).toEqual([...second]);
  });

  it('copies nothing that it shares already', () => {
    let reads = 0;
    const counted = new Map([['a', 1]]);
    const entries = counted.entries.bind(counted);
    counted[Symbol.iterator] = () => {
      reads += 1;
      return entries();
    };
    let extended = AppendOnlyMap.of(counted);
    for (let at = 0; at < 1_000; at += 1) extended = AppendOnlyMap.of(extended).with(`key ${at}`, at);
    expect([extended.size, reads]).toEqual([1_001, 1]);
  });
});

describe('a set that has grown', () => {
  it('holds each item once, in the order they came', () => {
    const set = AppendOnlySet.of(new Set(['a'])).with('b');
    expect([...set.with('a')]).toEqual(['a', 'b']);
    expect([...set.with('c').entries()].map(([item]) => item)).toEqual(['a', 'b', 'c']);
    expect([set.size, set.has('b'), set.has('c')]).toEqual([2, true, false]);
    const seen: string[] = [];
    set.forEach((item) => seen.push(item));
    expect([seen, [...set.values()]]).toEqual([['a', 'b'], [...set.keys()]]);
  });
});
