// What the files must mention, whatever else they say: every error code of the table.
import { join } from 'node:path';
import { ERROR_TABLE, UNDEFINED_CODE } from '../../src/errors/error-codes';
import { readCaseFiles, readPairs } from './case-file';
import { ROUTES } from './ladder';

it('has a case for every error code, and names no other', () => {
  const arcs = readCaseFiles(join(__dirname, 'arcs')).flatMap(({ content }) => content.cases);
  const pairs = readPairs(join(__dirname, 'features'));
  const steps = [...arcs.flatMap((each) => each.steps), ...pairs.flatMap((pair) => [...pair.before, ...pair.from])];
  const rungs = ROUTES.ladders.flatMap(({ chain }) =>
    chain.flatMap((rung) => (typeof rung === 'object' ? [rung] : [])),
  );
  const named = new Set([...steps, ...rungs].flatMap(({ code }) => (code === undefined ? [] : [code])));
  const declared = new Set(ERROR_TABLE.map(({ code }) => code));
  expect([...named].filter((code) => !declared.has(code))).toEqual([]);
  expect([...declared].filter((code) => code !== UNDEFINED_CODE && !named.has(code))).toEqual([]);
});
