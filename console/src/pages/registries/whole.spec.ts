import { found, readWhole, sorted } from './whole';

describe('a registry that is read whole', () => {
  it('follows the markers to the end', async () => {
    const pages = [
      { rows: ['a', 'b'], next_marker: 'b' },
      { rows: ['c'], next_marker: null },
    ];
    const asked: (string | undefined)[] = [];
    const whole = await readWhole(
      (marker) => {
        asked.push(marker);
        return Promise.resolve(pages[asked.length - 1] ?? { rows: [], next_marker: null });
      },
      ({ rows }) => rows,
    );
    expect([asked, whole]).toEqual([[undefined, 'b'], { rows: ['a', 'b', 'c'], isCut: false }]);
  });

  it('ends where it becomes too long, and says so', async () => {
    const page = { rows: Array.from({ length: 9_000 }, String), next_marker: 'more' };
    const whole = await readWhole(
      () => Promise.resolve(page),
      ({ rows }) => rows,
    );
    expect([whole.rows.length, whole.isCut]).toEqual([27_000, true]);
  });

  it.each([
    [false, ['cn2', 'cn10', null, null]],
    [true, ['cn10', 'cn2', null, null]],
  ])('sorts names as people count, downwards %s, with nothing at the end', (isDown, rows) => {
    expect(sorted(['cn10', null, 'cn2', null], (row) => row, isDown)).toEqual(rows);
  });

  it('finds what has every word', () => {
    expect(found(['linux hosts', 'windows hosts', 'linux'], String, ' HOSTS linux ')).toEqual(['linux hosts']);
  });
});
