import { found, sorted } from './rows';

describe('the rows of a registry', () => {
  it.each([
    [false, ['cn2', 'cn10', null, null]],
    [true, ['cn10', 'cn2', null, null]],
  ])('are sorted by name as people count, downwards %s, with nothing at the end', (isDown, rows) => {
    expect(sorted(['cn10', null, 'cn2', null], (row) => row, isDown)).toEqual(rows);
  });

  it('are found by every word', () => {
    expect(found(['linux hosts', 'windows hosts', 'linux'], String, ' HOSTS linux ')).toEqual(['linux hosts']);
  });
});
