// Every change of the contract: absent at the version just below, present at its own.
import { join } from 'node:path';
import { MICROVERSIONS } from '../../src/placement/microversions';
import { testDatabaseKinds } from '../support/databases';
import type { TestService } from '../support/service';
import { startTestService } from '../support/service';
import type { Pair } from './case-file';
import { readPairs } from './case-file';
import { Recorder } from './recorder';
import type { Run } from './runner';
import { runGiven, runSteps } from './runner';
import { Variables } from './variables';

const PAIRS = readPairs(join(__dirname, 'features'));

it('has a pair for every feature of the table', () => {
  const features = MICROVERSIONS.rows
    .flatMap((row): readonly string[] => row.features)
    .filter((name) => name !== 'base');
  const paired = new Set<string>(PAIRS.map((pair) => pair.feature));
  expect(features.filter((feature) => !paired.has(feature))).toEqual([]);
  expect([...paired].filter((feature) => !features.includes(feature))).toEqual([]);
});

describe.each(testDatabaseKinds())('on %s', (kind) => {
  let service: TestService;
  const recorder = new Recorder();
  beforeAll(async () => {
    service = await startTestService(kind);
  });
  afterAll(async () => {
    recorder.write();
    await service.stop();
  });

  const half = async (pair: Pair, side: 'before' | 'from'): Promise<void> => {
    const caseName = `${pair.feature}: ${pair.name} (${side})`;
    const variables = new Variables(caseName);
    const run: Run = { service, recorder, caseName, variables, defaultAt: `${side} ${pair.feature}` };
    await runGiven(run, pair.given ?? []);
    await runSteps(run, pair[side]);
  };

  describe.each(PAIRS.map((pair): [string, Pair] => [`${pair.feature}: ${pair.name}`, pair]))('%s', (_, pair) => {
    it('is absent at the version just below', () => half(pair, 'before'));
    it('is present at its version', () => half(pair, 'from'));
  });
});
