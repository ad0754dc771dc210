// The floor plan: a room imports the rooms on lower floors only; specs and fixtures do as well. The wiring is the files at
// the top of src, except cli.ts, which belongs to the command line.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import FLOORS from './floor-plan.json';
import type { SourceFile } from './sources';
import { ALL_FILES, importsOf, lines, SRC } from './sources';

const WIRING = ['app.module', 'application', 'load-configuration', 'main', 'options'];

/** The room of a file or an import; a package has none. */
function roomOf(path: string): string | undefined {
  const [top = '', ...rest] = path.replace(/\.[jt]s$/, '').split('/');
  if (rest.length === 0 && WIRING.includes(top)) return 'wiring';
  return FLOORS.flat().find((room) => room === top);
}

const floorOf = (room: string): number => FLOORS.findIndex((rooms) => rooms.includes(room));

function importsUpward(files = ALL_FILES): readonly string[] {
  const isUpward = (from: string, to: string): boolean => {
    const [room, other] = [roomOf(from), roomOf(to)];
    return room !== undefined && other !== undefined && room !== other && floorOf(other) >= floorOf(room);
  };
  return lines(
    files.flatMap(({ path, imports }) =>
      imports.filter((name) => isUpward(path, name)).map((name): [string, string] => [path, name]),
    ),
  );
}

it('every file is in a room of the plan, and no room is empty', () => {
  expect(ALL_FILES.filter(({ path }) => roomOf(path) === undefined)).toEqual([]);
  expect(new Set(ALL_FILES.map(({ path }) => roomOf(path)))).toEqual(new Set(FLOORS.flat()));
});

it('no import leads upward, or to a room on the same floor', () => expect(importsUpward()).toEqual([]));

it('ARCHITECTURE.md draws the same plan', () => {
  const text = readFileSync(join(SRC, '../ARCHITECTURE.md'), 'utf8');
  const [, drawing = ''] = /```\n(cli [^`]*)```/.exec(text) ?? [];
  const isRoom = (word: string): boolean => FLOORS.flat().includes(word);
  const drawn = drawing
    .trim()
    .split('\n')
    .map((line) => line.split(/ {2,}/).filter(isRoom));
  expect(drawn.reverse()).toEqual(FLOORS);
});

describe.each(FLOORS.flat().filter((room) => room !== 'wiring'))('an import from %s', (room) => {
  const planted = (ending: string, other: string): readonly SourceFile[] => {
    const path = `${room}/folder/file${ending}`;
    const text = `import { X } from '../../${other === 'wiring' ? 'application' : `${other}/folder/other`}';`;
    return [{ path, text, imports: importsOf(join(SRC, path), text) }];
  };
  const others = FLOORS.flat().filter((other) => other !== room);

  it.each(others)('of %s is found, unless that is on a lower floor', (other) => {
    const isBelow = floorOf(other) < floorOf(room);
    for (const ending of ['.ts', '.spec.ts', '.fixture.ts']) {
      expect(importsUpward(planted(ending, other))).toHaveLength(isBelow ? 0 : 1);
    }
  });

  it('of itself or of a package is not', () => {
    expect(importsUpward(planted('.ts', room))).toEqual([]);
    expect(importsUpward([{ path: `${room}/a.ts`, text: '', imports: ['typeorm', '@nestjs/common'] }])).toEqual([]);
  });
});
