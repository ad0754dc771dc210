import { naturalKey } from './natural-order';
import { byText } from './text-order';

describe('natural order', () => {
  it.each([
    [
      ['virtual-10', 'virtual-1', 'virtual-2'],
      ['virtual-1', 'virtual-2', 'virtual-10'],
    ],
    [
      ['cn1-b', 'cn10-a', 'cn1-a'],
      ['cn1-a', 'cn1-b', 'cn10-a'],
    ],
    [
      ['Dock', 'cn2', 'CN1'],
      ['CN1', 'cn2', 'Dock'],
    ],
    [
      ['rack1-cn12', 'rack12-cn1', 'rack1-cn2'],
      ['rack1-cn2', 'rack1-cn12', 'rack12-cn1'],
    ],
    [
      ['a', '2', '10'],
      ['2', '10', 'a'],
    ],
  ])('of %j is %j', (names, expected) => {
    expect([...names].sort(byText(naturalKey))).toEqual(expected);
  });

  it('ignores leading zeros', () => {
    expect(naturalKey('cn007')).toBe(naturalKey('cn7'));
    expect(['cn010', 'cn9'].sort(byText(naturalKey))).toEqual(['cn9', 'cn010']);
  });
});
