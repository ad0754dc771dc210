// ARCHITECTURE.md names existing files, with their approximate lengths.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { FILES } from './sources';

const TOUR = readFileSync(join(__dirname, '../../ARCHITECTURE.md'), 'utf8');
/** Maximum relative error of a stated length. */
const TOLERANCE = 0.25;

const stops = [...TOUR.matchAll(/`([\w./-]+\.ts)`\s*\((\d+)\)/g)].map(([, name = '', reported = '']) => ({
  name,
  reported: Number(reported),
}));

it('has the stops of three tours', () => expect(stops.length).toBeGreaterThan(20));

it.each(stops)('$name is one file, of about $reported lines', ({ name, reported }) => {
  const files = FILES.filter(({ path }) => `/${path}`.endsWith(`/${name}`));
  expect(files.map(({ path }) => path)).toHaveLength(1);
  const length = files[0]?.text.split('\n').length ?? 0;
  expect({ expectedLines: reported, isAbout: Math.abs(reported - length) <= length * TOLERANCE }).toEqual({
    expectedLines: reported,
    isAbout: true,
  });
});
