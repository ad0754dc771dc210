// Coverage of the case files: every error code of the table.
import { join } from 'node:path';
import { ERROR_CODES, UNDEFINED_CODE, wireCodeOf } from '../../src/platform/http/error-codes';
import type { ErrorCode } from '../../src/platform/values/errors';
import { readCaseFiles, readPairs } from './case-file';
import { ROUTES } from './ladder';

/** Needs many concurrent requests: test/e2e/fair-shares.spec.ts. */
const MET_BY_MANY = 'placement.too_many_requests';

it('has a case for every error code, and no unknown codes', () => {
  const arcs = readCaseFiles(join(__dirname, 'arcs')).flatMap(({ content }) => content.cases);
  const pairs = readPairs(join(__dirname, 'features'));
  const steps = [...arcs.flatMap((each) => each.steps), ...pairs.flatMap((pair) => [...pair.before, ...pair.from])];
  const rungs = ROUTES.ladders.flatMap(({ chain }) =>
    chain.flatMap((rung) => (typeof rung === 'object' ? [rung] : [])),
  );
  const named = new Set([...steps, ...rungs].flatMap(({ code }) => (code === undefined ? [] : [code])));
  const declared = new Set(
    (Object.keys(ERROR_CODES) as ErrorCode[]).map(wireCodeOf).filter((code) => code.startsWith('placement.')),
  );
  expect([...named].filter((code) => !declared.has(code))).toEqual([]);
  expect([...declared].filter((code) => code !== UNDEFINED_CODE && code !== MET_BY_MANY && !named.has(code))).toEqual(
    [],
  );
});
