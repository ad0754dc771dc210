import { pages } from '@berth/client';
import { readWhole } from './whole';

interface Asked {
  readonly marker?: string;
}

describe('a registry that is read whole', () => {
  it('follows the markers to the end', async () => {
    const answers = [
      { rows: ['a', 'b'], next_marker: 'b' },
      { rows: ['c'], next_marker: null },
    ];
    const asked: (string | undefined)[] = [];
    const list = ({ marker }: Asked) => {
      asked.push(marker);
      return Promise.resolve(answers[asked.length - 1] ?? { rows: [], next_marker: null });
    };
    const whole = await readWhole(pages(list), ({ rows }) => rows);
    expect([asked, whole]).toEqual([[undefined, 'b'], { rows: ['a', 'b', 'c'], isCut: false }]);
  });

  it.each([
    [undefined, 27_000],
    [5_000, 9_000],
  ])('ends where it becomes too long for %s, and says so', async (rowsMax, length) => {
    const page = { rows: Array.from({ length: 9_000 }, String), next_marker: 'more' };
    const whole = await readWhole(
      pages((_: Asked) => Promise.resolve(page)),
      ({ rows }) => rows,
      rowsMax,
    );
    expect([whole.rows.length, whole.isCut]).toEqual([length, true]);
  });
});
