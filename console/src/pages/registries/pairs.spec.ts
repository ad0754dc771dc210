import { changesBetween, newPair, pairsOf, recordOf, twiceIn } from './pairs';

describe('keys and values as rows', () => {
  it('ignores empty rows, and blanks around keys', () => {
    expect(recordOf([newPair(' a ', ' 1 '), newPair('', 'x'), newPair()])).toEqual({ a: ' 1 ' });
  });

  it('comes back as it went', () => {
    const record = { a: '1', b: '' };
    expect(recordOf(pairsOf(record))).toEqual(record);
  });

  it('changes what is other, and removes what is gone', () => {
    expect(changesBetween({ a: '1', b: '2', c: '3' }, { a: '1', b: 'x', d: '' })).toEqual({ b: 'x', c: null, d: '' });
  });

  it.each([
    [['a', 'b', 'a'], 2],
    [['a', ' a'], 1],
    [['a', '', ''], undefined],
  ])('%j has a key twice at %s', (keys, at) => {
    expect(twiceIn(keys.map((key) => newPair(key)))).toBe(at);
  });
});
