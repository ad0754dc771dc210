// Hard packings compared with the model, and the laws of a search that gives up: a tree that fits is found despite
// other trees. BERTH_SEED repeats a run.

import { compare } from './candidates-compare';
import { drawSmallPacking, findLostAmongOthers } from './candidates-packings';
import { findUncountedWork } from './candidates-work';
import { describe as describeCase, Dice } from './candidates-worlds';

const ROUNDS = Math.max(600, Math.floor(Number(process.env['BERTH_ROUNDS'] ?? 0) / 20));
const SEED = Number(process.env['BERTH_SEED'] ?? Math.floor(Math.random() * 2 ** 31));

jest.setTimeout(3_700_000);

describe(`hard packings, seed ${SEED}`, () => {
  it('have the candidates of the model', () => {
    let compared = 0;
    let found = 0;
    for (let round = 0; round < ROUNDS; round += 1) {
      const { rows, query } = drawSmallPacking(new Dice(SEED + round * 7919));
      const comparison = compare(rows, query);
      if (comparison === null) continue;
      compared += 1;
      if (comparison.expected.length > 0) found += 1;
      if (comparison.isEqual) continue;
      const drawn = { seed: SEED, case: describeCase(rows, query) };
      expect({ ...drawn, candidates: comparison.actual }).toEqual({ ...drawn, candidates: comparison.expected });
    }
    expect(Math.min(found, compared - found)).toBeGreaterThan(ROUNDS / 10);
  });

  it('give each tree the same result with and without other trees', () => {
    for (let round = 0; round < ROUNDS / 4; round += 1) {
      const lost = findLostAmongOthers(new Dice(SEED + round * 104_729));
      expect({ seed: SEED, round, lost }).toEqual({ seed: SEED, round, lost: null });
    }
  });
});

it('count every read of a search as a step', () => {
  expect(findUncountedWork()).toBeNull();
});
